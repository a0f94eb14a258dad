// Synthesised sounds. One plays at a time, and none when sound is off.

import { sound } from "./preferences.js";

const TONES = {
  bell: { frequency: 880, seconds: 0.5, type: /** @type {OscillatorType} */ ("sine"), gain: 0.06 },
  wood: { frequency: 190, seconds: 0.09, type: /** @type {OscillatorType} */ ("triangle"), gain: 0.16 },
  paper: { frequency: 1400, seconds: 0.06, type: /** @type {OscillatorType} */ ("sawtooth"), gain: 0.02 },
};

/** @type {AudioContext | null} */
let context = null;
let busyUntil = 0;

/** @param {keyof typeof TONES} name */
export function play(name) {
  // Browsers allow sound only after the user has interacted with the page.
  if (sound.value !== "on" || !globalThis.navigator?.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const { frequency, seconds, type, gain } = TONES[name];
  if (context.currentTime < busyUntil) return;
  busyUntil = context.currentTime + seconds;
  const oscillator = new OscillatorNode(context, { type, frequency });
  const volume = new GainNode(context, { gain });
  volume.gain.setTargetAtTime(0, context.currentTime, seconds / 3);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start();
  oscillator.stop(context.currentTime + seconds);
}
