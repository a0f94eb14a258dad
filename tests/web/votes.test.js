// Whose votes are missing, and until when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { missingVotes } from "../../web/src/parts/notices.js";

const person = (user, more = {}) => ({ user, bot: null, stand_in: null, resigned: false, ...more });
const view = (seats, votes) => ({ seats, votes, table: { vote_absence_seconds: 600 } });
const SEATS = [person("ann"), person("ben", { stand_in: "normal" }), person("cat", { resigned: true }), { user: null, bot: "easy" }];

test("the vote of a person is missing while a bot stands in, and until the declared time of absence is over", () => {
  const abandon = view(SEATS, { abandon: [0] });
  assert.deepEqual(missingVotes(abandon, "abandon", { away: [null, null, 5_000, null] }, 0), [{ seat: 1, until: null }]);
  assert.deepEqual(missingVotes(abandon, "abandon", { away: [null, 5_000, null, null] }, 604_999), [{ seat: 1, until: 605_000 }]);
  assert.deepEqual(missingVotes(abandon, "abandon", { away: [null, 5_000, null, null] }, 605_000), []);
  assert.deepEqual(missingVotes(abandon, "abandon", null, 0), [{ seat: 1, until: null }]);
});

test("a pause waits for everybody who is here, and not for people who are away while a bot stands in", () => {
  const pause = view(SEATS, { pause: [0] });
  assert.deepEqual(missingVotes(pause, "pause", { away: [null, null, null, null] }, 0), [{ seat: 1, until: null }]);
  assert.deepEqual(missingVotes(pause, "pause", { away: [null, 5_000, null, null] }, 0), []);
});
