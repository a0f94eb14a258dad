// The visitor's preferences, stored on this device only: theme, sound, colour, strength of bots, and being seen.

import { computed, effect, signal } from "@preact/signals";
import { deviceStorage } from "../storage.js";

/** Return a signal whose value is kept on this device. @param {string} name @param {string} fallback */
export function storedSignal(name, fallback) {
  const value = signal(deviceStorage.get(name) ?? fallback);
  effect(() => deviceStorage.set(name, value.value));
  return value;
}

const darkQuery = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
/** The theme of the operating system or the browser, which may change at any time. */
const systemTheme = signal(darkQuery?.matches ? "dark" : "light");
darkQuery?.addEventListener("change", () => (systemTheme.value = darkQuery.matches ? "dark" : "light"));

/**
 * Return the choice of an earlier version of this page, which stored the system's theme as if it had been chosen.
 * @param {string | null | undefined} stored @param {string} system
 */
export function earlierChoice(stored, system) {
  return stored && stored !== system ? stored : "system";
}

/** What the visitor chose: "system", "light" or "dark". */
export const themeChoice = storedSignal("theme-choice", earlierChoice(deviceStorage.get("theme"), systemTheme.value));
/** The theme that is shown: "light" or "dark". */
export const theme = computed(() => (themeChoice.value === "system" ? systemTheme.value : themeChoice.value));
export const sound = storedSignal("sound", "on");
/** Whether others at a table see the visitor's name among those who watch. */
export const seenWatching = storedSignal("seen-watching", "no");
export const colour = storedSignal("colour", "0");
/** The first game of a visitor is against easy bots. */
export const strength = storedSignal("strength", "easy");

effect(() => {
  if (globalThis.document) document.documentElement.dataset.theme = theme.value;
});

export function switchTheme() {
  themeChoice.value = theme.value === "dark" ? "light" : "dark";
}
export function switchSound() {
  sound.value = sound.value === "on" ? "off" : "on";
}
