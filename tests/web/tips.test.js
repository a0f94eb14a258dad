import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What is stored on the device. */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({ getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) });
const { beginTipsAgain, countTable, endTips, hasTips, asksForExperience, markExperienced, markTipShown, shownTips } = await import("../../web/src/tips/memory.js");
const { dueTip, isPlaying } = await import("../../web/src/tips/due.js");
const { TIPS } = await import("../../web/src/tips/investors.js");
const { hasPlayedEnough } = await import("../../web/src/tips/experience.js");
const { findPlace, overlap } = await import("../../web/src/tips/place.js");

beforeEach(() => beginTipsAgain());

/** Return the view of seat 0, which is asked for a decision of this kind. */
function view(about, choices, more = {}) {
  return {
    mine: 0,
    table: { game: "investors", phase: "running", paused: false },
    seats: [{ resigned: false, stand_in: null }, { resigned: false, stand_in: null }],
    play: { game: { layout: [], rebuilt: [], sticks: [], years: [], action: null, stage: {} }, decision: { number: 3, about, awaited: [0], prompt: { choices } } },
    ...more,
  };
}

test("tips come in the first two games of a title, and no longer", () => {
  for (const table of ["a", "a", "b", "c"]) countTable("planners", table);
  countTable("builders", "d");
  assert.deepEqual(["a", "b", "c"].map((table) => hasTips("planners", table)), [true, true, false]);
  assert.ok(hasTips("builders", "d"));
  assert.ok(!hasTips("investors", "a"));
});

test("tips that are switched off stay off until they begin again, with those that were shown", () => {
  countTable("planners", "a");
  countTable("planners", "b");
  markTipShown("tips.planners.lay");
  endTips();
  assert.ok(!hasTips("planners", "a"));
  assert.equal(JSON.parse(stored.get("tips")).choice, "off");
  beginTipsAgain({ game: "planners", table: "c" });
  assert.ok(hasTips("planners", "c"));
  assert.deepEqual(shownTips(), []);
});

test("who has played elsewhere gets no tips, unless they ask for them", () => {
  countTable("planners", "a");
  markExperienced("planners");
  assert.ok(!hasTips("planners", "a"));
  beginTipsAgain({ game: "planners", table: "a" });
  assert.ok(hasTips("planners", "a"));
  assert.ok(!asksForExperience());
});

test("the server is asked for finished games once for each title", async () => {
  const requests = [];
  const answers = { planners: { games: [{}, {}] }, builders: { games: [{}] } };
  const socket = {
    request: (message) => {
      requests.push(message);
      const answer = answers[message.game];
      return answer ? Promise.resolve(answer) : Promise.reject(new Error("refused"));
    },
  };
  const ask = (game) => hasPlayedEnough(socket, "u1", game);
  assert.deepEqual(await Promise.all(["planners", "planners", "builders", "investors"].map(ask)), [true, true, false, false]);
  assert.equal(await ask("planners"), true);
  assert.deepEqual(requests.map(({ game }) => game), ["planners", "builders", "investors"]);
  assert.deepEqual(requests[0], { type: "list_games", people: ["u1"], game: "planners", limit: 2 });
});

test("a tip is due once, and only for somebody who plays", () => {
  const asked = view("consider_tender", [{ do: "accept_tender" }, { do: "reject_tender" }]);
  assert.equal(dueTip(TIPS, asked, [], [])?.id, "tips.investors.refuse");
  assert.equal(dueTip(TIPS, asked, [], ["tips.investors.refuse"]), null);
  assert.equal(dueTip(TIPS, { ...asked, mine: null }, [], []), null);
  assert.ok(!isPlaying({ ...asked, table: { ...asked.table, paused: true } }));
  assert.ok(!isPlaying({ ...asked, table: { ...asked.table, phase: "over" } }));
  assert.ok(!isPlaying({ ...asked, seats: [{ resigned: true, stand_in: null }] }));
  assert.ok(!isPlaying({ ...asked, seats: [{ resigned: false, stand_in: "easy" }] }));
});

test("somebody who has no stick left is told which one not to lift", () => {
  const place = { do: "place_stick", street: { one_of: [3] } };
  const known = TIPS.map(({ id }) => id).filter((id) => id !== "tips.investors.lift");
  assert.equal(dueTip(TIPS, view("invest", [place]), [], known), null);
  assert.equal(dueTip(TIPS, view("invest", [{ ...place, lift: { one_of: [5, 9] } }]), [], known)?.id, "tips.investors.lift");
});

test("a stick that rebuilds a district for its owner is no gift", () => {
  const events = (seat) => [{ event: "stick_placed", seat: 1, street: 3 }, { event: "district_rebuilt", seat, district: 2 }];
  const due = (seat) => dueTip(TIPS, view("invest", []), events(seat), [])?.id;
  assert.equal(due(0), "tips.investors.gift");
  assert.equal(due(1), undefined);
});

// -- places ------------------------------------------------------------------------------------------------------

const WINDOW = { width: 400, height: 300 };
const SIZE = { width: 120, height: 60 };
const boxAt = ({ left, top }, { width, height }) => ({ left, top, right: left + width, bottom: top + height });
const asked = (more) => ({ sizes: [SIZE], around: WINDOW, kept: [], covered: [], near: { x: 200, y: 150 }, ...more });

test("a tip lies where it would like to, if nothing is there", () => {
  const found = findPlace(asked({}));
  assert.ok(Math.abs(found.left + 60 - 200) <= 8 && Math.abs(found.top + 30 - 150) <= 8, JSON.stringify(found));
});

test("a tip never lies over what must stay free, wherever that is", () => {
  for (let left = 0; left < 400; left += 13) {
    for (let top = 0; top < 300; top += 17) {
      const kept = [{ left, top, right: left + 90, bottom: top + 50 }, { left: 150.5, top: 0, right: 151.5, bottom: 300 }];
      const found = findPlace(asked({ kept }));
      const box = boxAt(found, SIZE);
      assert.ok(!kept.some((each) => overlap(box, each)), `${left} ${top}: ${JSON.stringify(found)}`);
      assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 400 && box.bottom <= 300);
    }
  }
});

test("a tip covers what matters least", () => {
  const covered = [{ box: { left: 0, top: 0, right: 400, bottom: 200 }, price: 4 }, { box: { left: 0, top: 200, right: 400, bottom: 300 }, price: 1 }];
  assert.ok(findPlace(asked({ covered })).top >= 200);
});

test("a tip takes the size for which there is room, and none where there is none", () => {
  const kept = [{ left: 0, top: 100, right: 400, bottom: 300 }];
  assert.equal(findPlace(asked({ kept, sizes: [{ width: 120, height: 110 }, SIZE] })).size, 1);
  assert.equal(findPlace(asked({ kept: [{ left: 0, top: 40, right: 400, bottom: 300 }] })), null);
});
