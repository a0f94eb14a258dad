// What this device remembers of its owner's taste: light or dark, sound, favourite colour, how well bots should play. Never sent to the server.

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
/** A first game is for learning, so that is where one begins. */
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
