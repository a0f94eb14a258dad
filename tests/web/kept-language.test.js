import assert from "node:assert/strict";
import { test } from "node:test";

const kept = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
  setItem: (/** @type {string} */ name, /** @type {string} */ text) => kept.set(name, text),
});
const { language, setLanguage } = await import("../../web/src/catalogue/index.js");
const { keepLanguage } = await import("../../web/src/kept-language.js");

/** A server that replies when the test says so. */
function fakeSocket() {
  /** @type {{language: string, resolve: (value?: any) => void, reject: (error: Error) => void}[]} */
  const asked = [];
  return {
    asked,
    languages: () => asked.map((each) => each.language),
    request: (/** @type {any} */ message) => {
      assert.equal(message.type, "set_language");
      return new Promise((resolve, reject) => asked.push({ language: message.language, resolve, reject }));
    },
  };
}

const settle = () => new Promise((done) => setTimeout(done));

/** Begin with a page in English. @param {boolean} isChosen */
async function begin(isChosen = false) {
  await setLanguage("en");
  if (!isChosen) kept.clear();
  const socket = fakeSocket();
  return { socket, onWelcome: keepLanguage(socket) };
}

test("the language of the browser is not stored until somebody chooses", async () => {
  const { socket, onWelcome } = await begin();
  onWelcome({ language: null });
  await settle();
  assert.deepEqual(socket.languages(), []);
  await setLanguage("de");
  assert.deepEqual(socket.languages(), ["de"]);
});

test("the language of the user is shown on another device, and not sent back", async () => {
  const { socket, onWelcome } = await begin(true);
  onWelcome({ language: "pl" });
  await settle();
  assert.equal(language.value, "pl");
  assert.deepEqual(socket.languages(), []);
});

test("a language that was chosen on this device before is stored for a user without one", async () => {
  const { socket, onWelcome } = await begin(true);
  onWelcome({ language: null });
  assert.deepEqual(socket.languages(), ["en"]);
});

test("a choice before the first welcome, or while disconnected, is stronger than that of the server", async () => {
  const { socket, onWelcome } = await begin();
  await setLanguage("it");
  assert.deepEqual(socket.languages(), []);
  onWelcome({ language: "de" });
  await settle();
  assert.equal(language.value, "it");
  assert.deepEqual(socket.languages(), ["it"]);
  // The connection is lost before the reply: the socket sends the request again by itself.
  onWelcome({ language: "de" });
  await settle();
  assert.deepEqual([language.value, ...socket.languages()], ["it", "it"]);
});

test("a refused choice is sent again with the next welcome", async () => {
  const { socket, onWelcome } = await begin();
  onWelcome({ language: null });
  await setLanguage("it");
  socket.asked[0].reject(new Error("too_fast"));
  await settle();
  onWelcome({ language: "de" });
  assert.deepEqual(socket.languages(), ["it", "it"]);
});

test("of two choices in a row the last one is stored", async () => {
  const { socket, onWelcome } = await begin();
  onWelcome({ language: null });
  await setLanguage("it");
  await setLanguage("pl");
  socket.asked[0].resolve();
  await settle();
  assert.deepEqual(socket.languages(), ["it", "pl"]);
  socket.asked[1].resolve();
  await settle();
  await setLanguage("it");
  assert.deepEqual(socket.languages(), ["it", "pl", "it"]);
});
