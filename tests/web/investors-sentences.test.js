// Every event of the game has a sentence without gaps, for the acting seat, for others and for spectators.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import enInvestors from "../../web/src/catalogue/en/investors.json";
import { language } from "../../web/src/catalogue/index.js";
import { sentence } from "../../web/src/scenes/investors/sentences.js";
import { standingText, streetText, tenderText } from "../../web/src/scenes/investors/labels.js";

language.value = "en";
const layout = Array(35).fill("factory");
layout[0] = "villa";

function viewFor(mine) {
  return { mine, seats: ["Ana", "Bo", "Cem"].map((name) => ({ name })), play: { game: { layout } } };
}

const EVENTS = [
  [{ event: "game_begun", start_seat: 1 }, "The city lies in ruins. Bo is the first start player."],
  [{ event: "tile_drawn", seat: 1, tile: "park" }, null],
  [{ event: "tile_set_aside", tile: "park" }, "A park tile fits nowhere now and goes back into the bag."],
  [{ event: "tile_laid", seat: 1, tile: "hall", space: 17 }, "Bo laid town hall at D3."],
  [{ event: "tile_exchanged", tile: "park", space: 0, other: 8 }, "The park tile took A1; what lay there moved to B2."],
  [{ event: "tender_shuffled", cards: 30 }, "The 30 discarded tender cards were shuffled into a new deck."],
  [{ event: "tender_drawn", seat: 1, card: "factory/influence/3", binding: false }, "Bo drew a tender: factory, by influence, up to 3 investors."],
  [{ event: "tender_drawn", seat: 1, card: "edge/cheques/1", binding: true }, "Bo drew the binding tender: the city’s edge, by cheques."],
  [{ event: "tender_voided", card: "villa/cheques/1" }, "It opens no free street and is discarded: villa, by cheques."],
  [{ event: "tender_rejected", seat: 1, card: "options/options/3" }, "Bo rejected the tender: everybody’s choice of option tiles."],
  [{ event: "tender_opened", mode: "influence", rights: 2 }, null],
  [{ event: "influence_revealed", cards: [3, 7, null], winners: [1, 0] }, "Cards shown: Ana 3, Bo 7, and Cem abstained. Winning: Bo and Ana."],
  [{ event: "influence_revealed", cards: [3, 3, 3], winners: [] }, "Cards shown: Ana 3, Bo 3, and Cem 3. Nobody wins."],
  [{ event: "bid_raised", seat: 1, cheques: [10, 50] }, "Bo adds $60,000 to the bid."],
  [{ event: "bid_passed", seat: 1 }, "Bo passed."],
  [{ event: "auction_won", seat: 1, cheques: [60] }, "Bo outbid everyone and paid $60,000."],
  [
    { event: "options_revealed", options: ["factory_office", "market_leisure", "market_leisure"] },
    "Options shown: Ana factory or office, Bo market or leisure, and Cem market or leisure.",
  ],
  [{ event: "bargaining_opened", option: "market_leisure", seats: [1, 2] }, "Bo and Cem may deal over market or leisure."],
  [
    { event: "offer_made", seat: 1, option: "market_leisure", investor: 2, amounts: [30], draws: [0], avoid: [] },
    "Bo made an offer: Cem would invest in market or leisure for $30,000.",
  ],
  [
    { event: "offer_made", seat: 1, option: "market_leisure", investor: 2, amounts: [30, 40], draws: [2, 1], avoid: [0, 8] },
    "Bo made an offer: Cem would invest in market or leisure for $70,000 and 3 blind draws. Keeps off: north of A1 and between B1 and B2.",
  ],
  [
    { event: "offer_made", seat: 1, option: "market_leisure", investor: 1, amounts: [30], draws: [0], avoid: [4] },
    "Bo offered $30,000 to invest in market or leisure. Keeps off: north of E1.",
  ],
  [
    { event: "offer_made", seat: 1, option: "market_leisure", investor: 1, amounts: [0], draws: [1], avoid: [0, 1, 2, 3] },
    "Bo offered one blind draw to invest in market or leisure. Keeps off 4 streets, marked on the map.",
  ],
  [{ event: "offer_passed", seat: 1 }, "Bo made no offer."],
  [{ event: "offer_accepted" }, "The offer was accepted."],
  [{ event: "offer_declined", seats: [1, 2] }, "Bo and Cem declined the offer."],
  [
    { event: "offer_paid", option: "market_leisure", investor: 1, partners: [2], avoid: [], given: [2] },
    "Bo gave Cem 2 cheques and may invest in market or leisure.",
  ],
  [
    { event: "offer_paid", option: "market_leisure", investor: 1, partners: [2], avoid: [], given: [1], received: [40] },
    "Bo gave you $40,000 and may invest in market or leisure.",
  ],
  [{ event: "bargaining_failed", option: "market_leisure" }, "There was no deal over market or leisure."],
  [{ event: "option_bids_revealed", bids: [[10, 20], null, []] }, "Sealed cheques shown: Ana $30,000 and Cem $0."],
  [{ event: "option_bids_revealed", bids: [null, null, null] }, null],
  [{ event: "option_paid", seat: 1, option: "factory_office" }, "Bo alone chose factory or office and paid one cheque."],
  [{ event: "option_won", seat: 1, option: "factory_office", cheques: [90] }, "Bo won factory or office and paid $90,000."],
  [{ event: "option_lapsed", option: "factory_office" }, "Nobody invests in factory or office."],
  [{ event: "tender_closed", rights: [] }, "Nobody invests."],
  [{ event: "tender_closed", rights: [{ seat: 1, target: "edge", avoid: [] }] }, null],
  [{ event: "stick_placed", seat: 1, street: 8 }, "Bo laid a stick between B1 and B2."],
  [{ event: "stick_placed", seat: 1, street: 0, lifted: 42 }, "Bo lifted the stick west of A1 and laid it north of A1."],
  [{ event: "right_waived", seat: 1 }, "Bo waived."],
  [{ event: "right_lapsed", seat: 1 }, "No street was left for Bo."],
  [{ event: "district_rebuilt", district: 8, seat: 1, prestige: 6, bonus: 0 }, "Bo rebuilt factory B2, +6."],
  [{ event: "district_rebuilt", district: 0, seat: 1, prestige: 4, bonus: 3 }, "Bo rebuilt villa A1 and took the villa bonus, +7."],
  [{ event: "action_drawn", seat: 1, card: "two/cheques" }, "Bo drew an action card: Double crew."],
  [{ event: "action_won", seat: 1 }, "Bo may use the action card."],
  [{ event: "stick_moved", seat: 1, start: 0, end: 1 }, "Bo shifted the stick north of A1; it now lies north of B1."],
  [{ event: "sticks_swapped", seat: 1, first: 0, second: 8 }, "Bo swapped the sticks north of A1 and between B1 and B2."],
  [{ event: "stick_replaced", seat: 1, street: 8, owner: 2 }, "Bo replaced the stick of Cem between B1 and B2."],
  [{ event: "subsidy_claimed", seat: 1, mode: "influence", sticks: [], influence: 4, cheques_most: 0 }, "Bo took 4 influence."],
  [{ event: "subsidy_claimed", seat: 1, mode: "cheques", sticks: [3, 4], influence: 0, cheques_most: 100 }, "Bo removed 2 sticks to draw up to $100,000."],
  [{ event: "subsidy_claimed", seat: 1, mode: "cheques", sticks: [], influence: 0, cheques_most: 0 }, "Bo took nothing."],
  [{ event: "bank_shuffled", cheques: 12 }, "The bank’s 12 cheques were shuffled."],
  [{ event: "cheque_drawn", seat: 1, cheque: 40, bust: false }, "Bo drew $40,000."],
  [{ event: "cheque_drawn", seat: 1, cheque: 40, bust: true }, "Bo drew $40,000: too much, and all of it is lost."],
  [{ event: "drawing_stopped", seat: 1 }, "Bo stopped drawing."],
  [{ event: "subsidy_paid", kept: [[10], [], [20, 30]] }, "Subsidy kept: Ana $10,000 and Cem $50,000."],
  [{ event: "action_laid", card: "subsidy", year: 1907 }, "Subsidy lies on 1907."],
  [{ event: "round_ended", next_seat: 1 }, null],
  [{ event: "game_ended", reason: "years" }, "The twelfth action card is laid: the game is over."],
  [{ event: "game_ended", reason: "spent" }, "Nobody has influence or cheques to win a right with: the game is over."],
];

for (const [event, text] of EVENTS) {
  test(`${event.event}: ${text ?? "no line"}`, () => {
    assert.equal(sentence(event, viewFor(null))?.text ?? null, text);
  });
}

test("every text of the log belongs to an event of this list", () => {
  const tried = new Set(EVENTS.map(([{ event }]) => event));
  const keys = Object.keys(enInvestors).filter((key) => key.startsWith("log."));
  assert.deepEqual(keys.filter((key) => !tried.has(key.split(".")[1])), []);
});

test("the acting seat reads you, and no sentence has a key or a gap", () => {
  for (const [event] of EVENTS) {
    const text = sentence(event, viewFor(1))?.text ?? "";
    assert.doesNotMatch(text, /\{|log\.|Bo\b/, text);
  }
});

test("only the payer reads the value of a secret cheque", () => {
  const paid = { event: "option_paid", seat: 1, option: "factory_office", cheque: 20 };
  assert.equal(sentence(paid, viewFor(1)).text, "You alone chose factory or office and paid $20,000; nobody else saw it.");
});

test("a line highlights the streets and districts that it names", () => {
  assert.deepEqual(sentence({ event: "stick_placed", seat: 1, street: 8 }, viewFor(0)).place, { streets: [8] });
  assert.deepEqual(sentence({ event: "district_rebuilt", district: 8, seat: 1, prestige: 6, bonus: 0 }, viewFor(0)).place, { districts: [8] });
});

test("an event of the table has no sentence in a game", () => {
  assert.equal(sentence({ event: "paused" }, viewFor(0)), null);
});

test("streets, tenders and standings are plain text", () => {
  assert.equal(streetText(49), "east of G1");
  assert.equal(tenderText("edge/influence/5"), "the city’s edge, by influence, up to 5 investors");
  const text = standingText(viewFor(0), { seats: [[1, 2], [2, 1]], free: 1, white: 0, settles: null, leader: { seat: 1, more: 1 } }, "factory");
  assert.equal(text, "Bo 2, Cem 1, one free: Bo needs one more");
});

test("every sentence with a name has a form for the acting seat", () => {
  const keys = Object.keys(enInvestors).filter((key) => key.startsWith("log.") && !key.endsWith(".you"));
  for (const key of keys.filter((each) => JSON.stringify(enInvestors[each]).includes("{name}"))) assert.ok(`${key}.you` in enInvestors, key);
});
