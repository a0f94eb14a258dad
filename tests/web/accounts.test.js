// The account, passkeys, people and invitations without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { suggested } from "../../web/src/pages/waiting/invite-by-name.js";
import { codesText } from "../../web/src/pages/you/codes-card.js";
import { isChanged, toggled } from "../../web/src/pages/you/profile-settings.js";
import { storedKinds } from "../../web/src/pages/you/stored-data.js";
import { deviceText } from "../../web/src/pages/you/ways-in.js";
import { cleanCode, post } from "../../web/src/parts/account-requests.js";
import { friendsGames, openTablesOf, wayToTable } from "../../web/src/parts/friends.js";
import { cleanHandle, handleMistake, proposedHandle } from "../../web/src/parts/handles.js";
import { deviceName } from "../../web/src/parts/device-name.js";
import {
  canUsePasskeys,
  creationOptions,
  credentialJson,
  fromBase64url,
  makePasskey,
  PasskeyTrouble,
  requestOptions,
  toBase64url,
  troubleOf,
} from "../../web/src/parts/passkeys.js";
import { personItems } from "../../web/src/parts/person-menu.js";
import { askForRelations, blocked, hasRelations, isBlocked, listPeople, noteBlocked, setBlocked } from "../../web/src/parts/relations.js";
import { countUnread } from "../../web/src/parts/unread.js";
import { Refusal } from "../../web/src/refusal.js";
import { tablePath } from "../../web/src/routes.js";
import { Store } from "../../web/src/store.js";

language.value = "en";

const inGerman = (work) => {
  language.value = "de";
  try {
    return work();
  } finally {
    language.value = "en";
  }
};
const refusal = (code) => Object.assign(new Error(`the server's sentence about ${code}`), { code });

// -- handles and codes ------------------------------------------------------------------------------------------------

test("what nobody can have as a handle is known before the server is asked", () => {
  const mistakes = ["", "ada", "@Ada_1-x", "ab", "9lives", "_ada", "a".repeat(21), "ada lovelace", "ädä"].map(handleMistake);
  assert.deepEqual(mistakes, [null, null, null, "short", "first", "first", "long", "letters", "letters"]);
});

test("handles and recovery codes may be typed in many ways", () => {
  assert.equal(cleanHandle("  @Ada "), "ada");
  for (const typed of ["abcd-efgh-2345-6789", "ABCDEFGH23456789", " abcd efgh 2345 6789 ", "abcd.efgh.2345.6789"]) {
    assert.equal(cleanCode(typed), "ABCD-EFGH-2345-6789");
  }
  assert.equal(cleanCode(""), "");
});

test("a handle is proposed from the name, if one can be made of it", () => {
  assert.equal(proposedHandle("Ada Lovelace"), "ada-lovelace");
  assert.equal(proposedHandle("Zoë"), "zoe");
  assert.equal(proposedHandle("42 Is Here!"), "is-here");
  assert.equal(proposedHandle("李"), "");
  for (const name of ["Ada Lovelace", "Zoë", "A very long name with many words"]) assert.equal(handleMistake(proposedHandle(name)), null, name);
});

test("refusals are said in the language of the page", () => {
  const said = (fields) => new Refusal({ sentence: "The server's sentence.", ...fields }).message;
  assert.equal(said({ code: "handle_taken" }), "The server's sentence.");
  assert.match(inGerman(() => said({ code: "handle_taken" })), /vergeben/);
  assert.equal(inGerman(() => said({ code: "unheard_of" })), "The server's sentence.");
  const wait = { code: "too_fast", variant: "seconds", values: { count: 1 } };
  assert.equal(inGerman(() => said(wait)), "Das war zu viel auf einmal. Bitte warte 1 Sekunde.");
  // A variant of a newer server is said as its code is.
  assert.equal(inGerman(() => said({ code: "paused", variant: "for_ever" })), "Das Spiel ist angehalten.");
});

test("a refusal that is still shown follows a change of the language", () => {
  const refusal = new Refusal({ code: "handle_taken", sentence: "The server's sentence." });
  assert.equal(refusal.message, "The server's sentence.");
  assert.match(inGerman(() => refusal.message), /vergeben/);
});

test("a request over HTTP returns the reply, or says why there is none", async () => {
  const answer = (ok, body) => async () => ({ ok, json: async () => body });
  assert.deepEqual(await post("/x", {}, answer(true, { user: 1 })), { user: 1 });
  await assert.rejects(post("/x", {}, answer(false, { code: "wrong_code", sentence: "Wrong." })), { code: "wrong_code", message: "Wrong." });
  const noJson = async () => ({ ok: false, json: async () => JSON.parse("<html>") });
  await assert.rejects(post("/x", {}, noJson), { code: "failed" });
  await assert.rejects(post("/x", {}, () => Promise.reject(new TypeError("network"))), { code: "no_connection" });
});

// -- passkeys -----------------------------------------------------------------------------------------------------------

const bytes = (...values) => Uint8Array.from(values).buffer;

test("bytes survive base64url, without padding", () => {
  assert.equal(toBase64url(bytes(251, 255, 254, 0)), "-__-AA");
  for (const length of [0, 1, 2, 3, 64]) {
    const some = Uint8Array.from({ length }, (_, index) => (index * 37) % 256);
    assert.deepEqual(fromBase64url(toBase64url(some.buffer)), some);
  }
});

test("a browser without conversions gets its options in bytes", () => {
  const made = creationOptions({ challenge: "AAEC", user: { id: "AQ", name: "ada" }, excludeCredentials: [{ id: "Ag", type: "public-key" }], rp: { id: "x" } });
  assert.deepEqual([made.challenge, made.user.id, made.excludeCredentials[0].id], [Uint8Array.of(0, 1, 2), Uint8Array.of(1), Uint8Array.of(2)]);
  assert.deepEqual([made.user.name, made.rp.id], ["ada", "x"]);
  const got = requestOptions({ challenge: "AAEC", rpId: "x" });
  assert.deepEqual([got.challenge, got.rpId, got.allowCredentials], [Uint8Array.of(0, 1, 2), "x", undefined]);
});

test("a credential becomes JSON, by the browser or by the page", () => {
  assert.deepEqual(credentialJson({ toJSON: () => ({ id: "own" }) }), { id: "own" });
  const response = { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(3), userHandle: null };
  const json = credentialJson({ id: "AA", rawId: bytes(0), type: "public-key", response });
  assert.deepEqual(json, {
    id: "AA",
    rawId: "AA",
    type: "public-key",
    response: { clientDataJSON: "AQ", authenticatorData: "Ag", signature: "Aw" },
    clientExtensionResults: {},
  });
});

test("what goes wrong with a passkey has one sentence", async () => {
  const codes = ["NotAllowedError", "AbortError", "InvalidStateError", "NotSupportedError", "SecurityError", "Whatever"].map((name) => troubleOf({ name }));
  assert.deepEqual(codes, ["cancelled", "cancelled", "known", "unsupported", "address", "failed"]);
  for (const code of new Set(codes)) assert.doesNotMatch(new PasskeyTrouble(code).message, /passkey\.trouble/);
  assert.equal(canUsePasskeys(), false);
  await assert.rejects(makePasskey({}), { code: "unsupported" });
});

test("a device gets a name from its system", () => {
  assert.equal(deviceName("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605"), "iPhone");
  assert.equal(deviceName("Mozilla/5.0 (Linux; Android 15) Chrome/130"), "Android");
  assert.equal(deviceName("curl"), "");
});

test("a device is named in the language of the page", () => {
  const names = ["Firefox on Windows", "Safari", "Program", ""];
  assert.deepEqual(names.map(deviceText), ["Firefox on Windows", "Safari", "A program", "A device"]);
  assert.deepEqual(inGerman(() => names.map(deviceText)), ["Firefox (Windows)", "Safari", "Ein Programm", "Ein Gerät"]);
});

// -- the own page --------------------------------------------------------------------------------------------------------

test("the sheet of recovery codes says whose they are and where they belong", () => {
  const text = codesText("ada", ["AAAA-BBBB", "CCCC-DDDD"], "play.example", Date.UTC(2026, 10, 18, 12));
  assert.match(text, /play\.example/);
  assert.match(text, /@ada, 18 Nov 2026/);
  assert.match(text, /\nAAAA-BBBB\nCCCC-DDDD\n/);
});

test("languages are switched on and off in one order, and the form knows whether it differs", () => {
  assert.deepEqual(toggled(["de"], "en"), ["en", "de"]);
  assert.deepEqual(toggled(["en", "de"], "en"), ["de"]);
  const stored = { motto: "", languages: ["en"], privacy: "public" };
  assert.ok(!isChanged({ ...stored, languages: toggled(toggled(["en"], "de"), "de") }, stored));
  assert.ok(isChanged({ ...stored, privacy: "nobody" }, stored) && isChanged({ ...stored, motto: "x" }, stored));
});

test("a guest is told of less, because less is stored", () => {
  assert.ok(storedKinds({ handle: "ada" }).includes("passkeys"));
  assert.ok(!storedKinds({ handle: null }).includes("passkeys") && storedKinds({ handle: null }).includes("games"));
});

// -- friends and invitations ----------------------------------------------------------------------------------------------

const free = { user: null, bot: null };
const table = (id, phase, users, fields = {}) => ({ table: id, phase, game: "planners", settings: { spectators: true }, seats: [...users.map((user) => ({ user, bot: null })), ...(phase === "open" ? [free] : [])], ...fields });

test("a friend's table can be joined while it waits, then watched if it may be", () => {
  assert.equal(wayToTable(table("a", "open", ["bo"]), "me"), "join");
  assert.equal(wayToTable(table("a", "running", ["bo"]), "me"), "watch");
  assert.equal(wayToTable(table("a", "running", ["bo"], { settings: { spectators: false } }), "me"), null);
  assert.equal(wayToTable(table("a", "running", ["bo", "me"]), "me"), "return");
  assert.deepEqual(openTablesOf({ tables: [table("a", "over", ["bo"]), table("b", "open", ["bo"])] }).map((each) => each.table), ["b"]);
});

test("friends' games are listed once each, those that wait first, without the visitor's own", () => {
  const shared = table("both", "running", ["bo", "cleo"]);
  const people = [
    { name: "Bo", tables: [shared, table("mine", "running", ["bo", "me"])] },
    { name: "Cleo", tables: [shared, table("waits", "open", ["cleo"]), table("over", "over", ["cleo"])] },
  ];
  const games = friendsGames(people, "me");
  assert.deepEqual(games.map((game) => [game.table.table, game.names, game.way]), [
    ["waits", ["Cleo"], "join"],
    ["both", ["Bo", "Cleo"], "watch"],
  ]);
  assert.deepEqual(friendsGames(null, "me"), []);
});

test("an invitation to a private table leads there with its key", () => {
  assert.equal(tablePath("abcd", "0f"), "/t/abcd#k=0f");
  assert.equal(tablePath("abcd", null), "/t/abcd");
});

test("the page keeps the invitations and people that the server sends", () => {
  const store = new Store();
  store.receive({ type: "invitations", invitations: [{ table: "abcd" }] });
  store.receive({ type: "people_changed", people: [{ id: "bo" }] });
  assert.deepEqual([store.invitations.value[0].table, store.people.value[0].id], ["abcd", "bo"]);
  store.receive({ type: "invitations", invitations: [] });
  assert.deepEqual(store.invitations.value, []);
});

test("people whom one follows are suggested for a seat, those online first, and nobody who sits there", () => {
  const one = (name, online) => ({ id: name, name, handle: `${name.toLowerCase()}-x`, online });
  const people = [one("Ada", false), one("Bo", true), one("Cleo", true)];
  const names = (typed, seats = []) => suggested(people, seats, typed).map(({ name }) => name);
  assert.deepEqual(names(""), ["Bo", "Cleo", "Ada"]);
  assert.deepEqual(names("@C"), ["Cleo"]);
  assert.deepEqual(names("", [{ user: "Bo" }]), ["Cleo", "Ada"]);
  assert.equal(suggested(Array.from({ length: 50 }, (_, index) => one(`P${index}`, false)), [], "").length, 6);
});

// -- blocking ---------------------------------------------------------------------------------------------------------------

test("blocked people are known after asking, and after every change", async () => {
  const sent = [];
  const socket = { request: async (message) => (sent.push(message), message.type === "list_people" ? { people: [{ id: "bo" }], blocked: [{ id: "gil", name: "Gil" }] } : {}) };
  assert.deepEqual(await listPeople(socket), [{ id: "bo" }]);
  assert.ok(hasRelations.value && isBlocked("gil") && !isBlocked("bo") && !isBlocked(null));
  await setBlocked(socket, { id: "hal", name: "Hal" }, true);
  assert.ok(isBlocked("hal"));
  await setBlocked(socket, { id: "gil", name: "Gil" }, false);
  assert.ok(!isBlocked("gil"));
  assert.deepEqual(sent.slice(1), [
    { type: "block", user: "hal", block: true },
    { type: "block", user: "gil", block: false },
  ]);
  const failing = { request: () => Promise.reject(refusal("busy")) };
  await assert.rejects(setBlocked(failing, { id: "ivo", name: "Ivo" }, true));
  assert.ok(!isBlocked("ivo"), "a refused request changes nothing");
});

test("a server without relations gets no buttons for them", async () => {
  assert.equal(await listPeople({ request: () => Promise.reject(refusal("unknown_request")) }), null);
  assert.equal(hasRelations.value, false);
  await listPeople({ request: () => Promise.reject(refusal("busy")) });
  assert.equal(hasRelations.value, true);
});

test("the people are asked for again after a refusal, and no more after a reply", async () => {
  let asked = 0;
  const socket = { request: async () => ((asked += 1), { people: [], blocked: [{ id: "gil", name: "Gil" }] }) };
  await listPeople({ request: () => Promise.reject(refusal("busy")) });
  await askForRelations(socket);
  assert.ok(isBlocked("gil"));
  await askForRelations(socket);
  assert.equal(asked, 1);
});

test("the menu about somebody offers what can be done now", () => {
  blocked.value = new Map();
  const labels = (person) => personItems({ request: async () => ({}) }, person, (work) => work()).map(({ label }) => label);
  assert.deepEqual(labels({ id: "bo", name: "Bo", handle: "bo-x" }), ["Profile of Bo", "Block Bo"]);
  assert.deepEqual(labels({ id: "bo", name: "Bo", handle: null }), ["Block Bo"]);
  noteBlocked({ id: "bo", name: "Bo" }, true);
  assert.deepEqual(labels({ id: "bo", name: "Bo", handle: null }), ["Unblock Bo"]);
});

test("lines of blocked people are not unread", () => {
  const line = (user, at) => ({ user, name: user, text: "x", at });
  const lines = [line("bo", 1), line("gil", 2), line("me", 3), line("gil", 4)];
  assert.equal(countUnread(lines, undefined, "me", (user) => user === "gil"), 1);
  assert.equal(countUnread(lines, undefined, "me"), 3);
});
