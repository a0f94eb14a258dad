// Positions of Planners as the server sends them, reduced to what the tests need.

/** Return a seat whose cards are given as rows of card numbers; a dot is an empty space. */
export function seat(rows = "", more = {}) {
  const cards = rows.trim() ? rows.trim().split(/\s+/).map((word) => (word === "." ? 0 : Number(word))) : Array(25).fill(0);
  return {
    cards,
    values: Array(25).fill(0),
    cars: [],
    towers: [],
    sites: [],
    extra_value: [],
    extra_tracks: [],
    totals: [0, 0, 0, 0, 0],
    compasses: [0, 0, 0, 0, 0],
    bonus_rows: [],
    contracts: 0,
    release: false,
    point_tokens: 0,
    points: 0,
    parts: {},
    ...more,
  };
}

/** Return standings with the seats in the same order in every category. */
function standings(order = [0, 1]) {
  return Array.from({ length: 6 }, () => order.map((each) => ({ seat: each, total: 0, points: 0, tie: null })));
}

export function game(seats = [seat(), seat()], more = {}) {
  return {
    turn: 0,
    deck: 80,
    tokens: 6,
    tokens_at_start: 6,
    columns: [[], [], []],
    column_tokens: [],
    open_columns: [],
    completed: [null, null, null, null, null],
    medal: null,
    bonuses: { value: 3, universal: 3, depot: 3, points: 3, release: 3, tracks: 3 },
    bonus_of_row: ["value", "universal", "depot", "points", "release"],
    discarded: [],
    seats,
    standings: standings(),
    stage: { name: "turn" },
    ...more,
  };
}

export function view(position, { mine = 0, choices = [], about = "turn" } = {}) {
  return {
    mine,
    seats: ["Ana", "Bo"].map((name) => ({ name })),
    table: { game: "planners" },
    play: { game: position, decision: { number: 3, about, awaited: [0], prompt: { choices } } },
  };
}

/** Card numbers by what the cards show. */
export const CARDS = { coast3: 1, coastTracks: 3, civicSquare: 25, civicFoundation: 28, parksTracks: 65, anyTwo: 76, anyTracks: 81 };
