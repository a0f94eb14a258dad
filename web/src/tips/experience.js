// How many games of a title somebody with an account has finished, on any device. The server is asked once for each title
// during a visit, and only where tips would be shown.

import { FIRST_GAMES } from "./memory.js";

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();

/**
 * Return whether a user has finished enough games of a title to need no tips. If the server does not say, they have not.
 * @param {{request: (message: any) => Promise<any>}} socket @param {string} user @param {string} game
 */
export function hasPlayedEnough(socket, user, game) {
  const key = `${user} ${game}`;
  let answer = asked.get(key);
  if (!answer) {
    answer = socket.request({ type: "list_games", people: [user], game, limit: FIRST_GAMES }).then(
      ({ games }) => games.length >= FIRST_GAMES,
      () => false,
    );
    asked.set(key, answer);
  }
  return answer;
}
