// web/src/fairness/commitments.js has the encodings of protocol/fairness-vectors.json. test_vectors.py runs this file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as commitments from "../../web/src/fairness/commitments.js";

const { base64url, fromHex, hex } = commitments;
const vectors = JSON.parse(readFileSync(new URL("../../protocol/fairness-vectors.json", import.meta.url), "utf-8"));
const { table } = vectors;
const serverSeed = fromHex(vectors.server_seed);

test("the commitment of the server", async () => {
  const { game, commitment } = vectors.server_commitment;
  assert.equal(await commitments.serverCommitment(table, game, serverSeed), commitment);
});

test("the commitments of seats", async () => {
  for (const { game, seat, identity, seed, commitment } of vectors.seed_commitments) {
    assert.equal(await commitments.seedCommitment(table, game, seat, identity, fromHex(seed)), commitment);
  }
});

test("the seeds of games", async () => {
  for (const { game, rules, deck, seats, seed } of vectors.game_seeds) {
    const contributions = seats.map((each) => ({ identity: each.identity, seed: fromHex(each.seed) }));
    assert.equal(hex(await commitments.gameSeed(serverSeed, table, game, rules, deck, contributions)), seed);
  }
});

test("shuffles and draws", async () => {
  for (const { seed, label, items, order, below, value } of vectors.streams) {
    if (items === undefined) assert.equal(await commitments.below(fromHex(seed), label, below), value);
    else assert.deepEqual(await commitments.shuffled(fromHex(seed), label, items), order);
  }
});

test("the commitments of answers", async () => {
  for (const { game, decision, seat, attempt, command, answer, salt, commitment } of vectors.answers) {
    assert.equal(commitments.canonicalJson(command), answer);
    const made = await commitments.answerCommitment(table, game, decision, seat, attempt, answer, fromHex(salt));
    assert.equal(made, commitment);
  }
});

test("the salts of the server", async () => {
  for (const { seed, decision, seat, attempt, salt } of vectors.server_salts) {
    assert.equal(hex(await commitments.serverSalt(fromHex(seed), decision, seat, attempt)), salt);
  }
});

test("the chain", async () => {
  let head = await commitments.chainStart(table);
  assert.equal(base64url(head), vectors.chain.start);
  for (const [place, line] of vectors.chain.lines.entries()) {
    head = await commitments.chainNext(head, line);
    assert.equal(base64url(head), vectors.chain.heads[place]);
  }
});

test("only hexadecimal is read as such", () => {
  for (const text of ["0", "0g", "AA", " 00", "00 "]) assert.throws(() => fromHex(text));
});

test("a fingerprint has four groups", () => {
  assert.equal(commitments.fingerprint(serverSeed), "0001 0203 0405 0607");
});

test("keys are sorted at every depth, and nothing is escaped that need not be", () => {
  const value = { b: [{ z: null, a: true }], a: 'ä"\\\n\u0001\u2028' };
  assert.equal(commitments.canonicalJson(value), '{"a":"ä\\"\\\\\\n\\u0001\u2028","b":[{"a":true,"z":null}]}');
});
