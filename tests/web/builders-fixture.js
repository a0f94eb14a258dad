// Positions of Builders as the server sends them, reduced to what the tests need.

export function seat(more = {}) {
  return {
    money: 7,
    marker: [2, 1],
    front: 2,
    supply: 4,
    built: 2,
    permits: [],
    open_goals: [],
    hidden_goals: 1,
    rubble: 1,
    cards: { light: 0, tram: 0, hydrant: 1, park: [] },
    points: { common: 5, goals: 0, board: -1, cards: 2, best_builder: 0, money: 1 },
    goal_points: { majority_green: 5 },
    ...more,
  };
}

/** Return a position of three seats by rules 3 in 1909 on the third card, with the spaces build, permit, clean-up, pass, dollar. */
export function game(more = {}) {
  return {
    rules: 3,
    year: 1909,
    area: 3,
    turn: 0,
    order: [0, 1, 2],
    acted: [],
    city: {
      grid: [3, 2],
      cards: ["C1", "C2", "C3", "C4", "C5", "C6"].map((card) => [card, "A"]),
      owners: Array(36).fill(-1),
      rubble: [1, 5],
    },
    action_cards: ["A1", "A3", "A2", "A4", "A5", "A6"],
    pawns: [null, null, null],
    permits: [0, 10, 41],
    permit_pile: 20,
    permit_discard: [],
    goals: { common: ["majority_green"], display: ["rubble", "row"], pile: 8 },
    development: { light: 5, tram: 4, hydrant: 3, park: [2, 3, 4, 5] },
    best_builder: null,
    seats: [seat(), seat(), seat()],
    hidden_goals: { colour_set: 0 },
    costs: { build: 2, rubble: 3, tram: 1, clean_up: 3, step: 2, develop: 2, fee_per_step: 2 },
    stage: { name: "placing" },
    final: null,
    ...more,
  };
}

/** Return the view of a seat with this open decision. */
export function view(about, choices, position = game(), mine = 0) {
  return {
    mine,
    table: { game: "builders" },
    seats: ["Ana", "Bo", "Cem"].map((name) => ({ name })),
    play: { game: position, decision: { number: 9, about, prompt: choices && { choices } } },
  };
}
