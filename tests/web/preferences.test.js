import assert from "node:assert/strict";
import { test } from "node:test";

/** The system's theme, as the browser reports it. */
const query = { matches: false, listeners: [], addEventListener: (_, listener) => query.listeners.push(listener) };
globalThis.matchMedia = /** @type {any} */ (() => query);
const setSystem = (isDark) => {
  query.matches = isDark;
  query.listeners.forEach((listener) => listener());
};
const { earlierChoice, switchTheme, theme, themeChoice } = await import("../../web/src/parts/preferences.js");

test("the theme follows the system until somebody chooses, and again when the system is chosen", () => {
  assert.equal(theme.value, "light");
  setSystem(true);
  assert.equal(theme.value, "dark");
  switchTheme();
  assert.equal(theme.value, "light");
  setSystem(false);
  setSystem(true);
  assert.equal(theme.value, "light");
  themeChoice.value = "system";
  assert.equal(theme.value, "dark");
});

test("a theme that an earlier version stored counts as chosen only if it differs from the system's", () => {
  assert.equal(earlierChoice(null, "light"), "system");
  assert.equal(earlierChoice("light", "light"), "system");
  assert.equal(earlierChoice("dark", "light"), "dark");
});
