// Whom the visitor blocks, and whether this server knows relations between people (follow, block, invite) at all. It is
// asked until it has answered; a server that does not know them gets no buttons for them.

import { signal } from "@preact/signals";

/** @typedef {{id: string, name: string, handle?: string | null}} Person */
/** @typedef {{request: (message: any) => Promise<any>}} Requests */

/** null until the server has answered. */
export const hasRelations = signal(/** @type {boolean | null} */ (null));
/** The blocked people by their id; null until the server has answered. */
export const blocked = signal(/** @type {Map<string, Person> | null} */ (null));
/** The people whom the visitor follows, with their public tables; empty until they are known. */
export const followed = signal(/** @type {any[]} */ ([]));
let isAsked = false;

/** Ask for the people, unless the server was asked before. @param {Requests} socket */
export async function askForRelations(socket) {
  if (!isAsked) await listPeople(socket);
}

/** Get the people whom the visitor follows; null if there is no answer. @param {Requests} socket @returns {Promise<any[] | null>} */
export async function listPeople(socket) {
  isAsked = true;
  try {
    const { people, blocked: found = [] } = await socket.request({ type: "list_people" });
    hasRelations.value = true;
    blocked.value = new Map(found.map((/** @type {Person} */ person) => [person.id, person]));
    return people;
  } catch (refusal) {
    // After any other refusal the buttons are there, and the next page asks again.
    isAsked = /** @type {{code?: string}} */ (refusal).code === "unknown_request";
    hasRelations.value = !isAsked;
    return null;
  }
}

/** Return whether the visitor blocks somebody. @param {string | null | undefined} user */
export function isBlocked(user) {
  return Boolean(user && blocked.value?.has(user));
}

/** Block somebody, or unblock. @param {Requests} socket @param {Person} person @param {boolean} isOn */
export async function setBlocked(socket, person, isOn) {
  await socket.request({ type: "block", user: person.id, block: isOn });
  noteBlocked(person, isOn);
}

/** Note that somebody is blocked, or no longer. @param {Person} person @param {boolean} isOn */
export function noteBlocked(person, isOn) {
  const known = new Map(blocked.peek() ?? []);
  if (isOn) known.set(person.id, person);
  else known.delete(person.id);
  blocked.value = known;
}
