// The visitor's preferences, stored on this device only: theme, sound, colour, and strength of bots.

import { effect, signal } from "@preact/signals";

/** @param {string} name @param {string} fallback */
function storedSignal(name, fallback) {
  const value = signal(globalThis.localStorage?.getItem(name) ?? fallback);
  effect(() => globalThis.localStorage?.setItem(name, value.value));
  return value;
}

const prefersDark = globalThis.matchMedia?.("(prefers-color-scheme: dark)").matches;
export const theme = storedSignal("theme", prefersDark ? "dark" : "light");
export const sound = storedSignal("sound", "on");
export const colour = storedSignal("colour", "0");
/** The first game of a visitor is against easy bots. */
export const strength = storedSignal("strength", "easy");

effect(() => {
  if (globalThis.document) document.documentElement.dataset.theme = theme.value;
});

export function switchTheme() {
  theme.value = theme.value === "dark" ? "light" : "dark";
}
export function switchSound() {
  sound.value = sound.value === "on" ? "off" : "on";
}
