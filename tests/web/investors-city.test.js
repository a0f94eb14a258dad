// The geometry of the city, and the counting of sticks.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  GRID,
  READING_ORDER,
  STREETS,
  consequences,
  coordinate,
  districtsOf,
  edgeSide,
  gridNeighbour,
  gridNumber,
  gridPlace,
  standing,
  streetAt,
  streetBox,
  streetsOf,
} from "../../web/src/scenes/investors/city.js";

const FREE = -1;
const SEATS = { y: 0, b: 1, r: 2, "#": -2, ".": FREE };

/** Return a city of factories with sticks around district B2: north, south, west, east. */
function cityWithSticks(letters, kind = "factory") {
  const layout = Array(35).fill("factory");
  const [district, sticks] = [8, Array(STREETS).fill(FREE)];
  layout[district] = kind;
  streetsOf(district).forEach((street, side) => (sticks[street] = SEATS[letters[side]]));
  return { layout, sticks, rebuilt: Array(35).fill(-1), open_bonuses: [] };
}

const standingOf = (letters, kind) => {
  const game = cityWithSticks(letters, kind);
  return standing(game, game.sticks, 8);
};

test("districts have coordinates from the north-west corner", () => {
  assert.deepEqual([0, 6, 8, 34].map(coordinate), ["A1", "G1", "B2", "G5"]);
});

test("an inner street belongs to two districts, an edge street to one", () => {
  assert.deepEqual(districtsOf(8), [1, 8]);
  assert.deepEqual(districtsOf(0), [0]);
  assert.deepEqual(districtsOf(42), [0]);
  assert.equal(READING_ORDER.filter((street) => districtsOf(street).length === 1).length, 24);
  for (const street of READING_ORDER) {
    for (const district of districtsOf(street)) assert.ok(streetsOf(district).includes(street));
  }
});

test("an edge street has a side of the city, and an inner street has none", () => {
  assert.deepEqual([0, 41, 42, 49, 7].map(edgeSide), ["north", "south", "west", "east", null]);
});

test("the reading order has each street once, from north to south and from west to east", () => {
  assert.equal(new Set(READING_ORDER).size, STREETS);
  assert.deepEqual(READING_ORDER.slice(0, 8), [0, 1, 2, 3, 4, 5, 6, 42]);
});

test("the grid has streets between districts, and no crossings", () => {
  const numbers = Array.from({ length: GRID.rows * GRID.columns }, (_, number) => number);
  const places = numbers.filter((number) => gridPlace(number) !== null);
  assert.equal(places.length, 35 + STREETS);
  for (const number of places) assert.equal(gridNumber(gridPlace(number)), number);
  const streets = places.map(gridPlace).flatMap(({ street }) => street ?? []);
  assert.deepEqual(streets, READING_ORDER);
});

test("an arrow key goes from a district over its street to the next one", () => {
  const walk = (from, ...arrows) => gridPlace(arrows.reduce((at, arrow) => gridNeighbour(at, `Arrow${arrow}`), gridNumber(from)));
  const [north, south, west, east] = streetsOf(8);
  assert.deepEqual(["Up", "Down", "Left", "Right"].map((arrow) => walk({ district: 8 }, arrow).street), [north, south, west, east]);
  assert.deepEqual(walk({ district: 8 }, "Right", "Right"), { district: 9 });
  assert.deepEqual(walk({ street: east }, "Down"), { street: streetsOf(15)[3] });
  assert.deepEqual(walk({ street: north }, "Right"), { street: north + 1 });
  assert.deepEqual(walk({ street: 0 }, "Up"), { street: 0 });
  assert.deepEqual(walk({ street: 42 }, "Left"), { street: 42 });
});

test("two sticks against one with one free street need one more", () => {
  assert.deepEqual(standingOf("bbr."), { seats: [[1, 2], [2, 1]], free: 1, white: 0, settles: null, leader: { seat: 1, more: 1 } });
});

test("three of four streets are out of reach for everyone else", () => {
  assert.equal(standingOf("bbb.").settles, 1);
  assert.equal(standingOf("bb#r").settles, 1);
  assert.equal(standingOf("bb##").settles, 1);
});

test("nobody leads where sticks are equal or too few streets are free", () => {
  assert.equal(standingOf("br..").leader, null);
  assert.equal(standingOf("bbrr").leader, null);
  assert.equal(standingOf("....").leader, null);
  assert.deepEqual(standingOf("b...").leader, { seat: 1, more: 2 });
});

test("town hall and bank need every street without a white stick", () => {
  assert.equal(standingOf("bbb.", "hall").settles, null);
  assert.deepEqual(standingOf("bbb.", "hall").leader, { seat: 1, more: 1 });
  assert.equal(standingOf("bbb#", "bank").settles, 1);
  assert.equal(standingOf("bbbr", "bank").leader, null);
});

test("the consequences of a stick name what it would settle, and leave out parks", () => {
  const game = cityWithSticks("bb.r");
  const [west] = streetsOf(8).slice(2);
  game.layout[7] = "park";
  const outcomes = consequences(game, [[west, 1]]);
  assert.deepEqual(outcomes.map(({ district }) => district), [8]);
  assert.equal(outcomes[0].before.settles, null);
  assert.equal(outcomes[0].after.settles, 1);
});

test("a point on a drawn street finds it, and a point on a crossing finds none", () => {
  for (let street = 0; street < STREETS; street += 1) {
    const { x, y, width, height } = streetBox(street);
    assert.equal(streetAt(x + width / 2, y + height / 2), street);
    if (width > height) assert.equal(streetAt(x - 2, y + height / 2), null);
  }
});
