// The end of a finished game, for pages that do not step through it.

/** Return the number of the last step and the view after it, all open. @param {import("./replay-source.js").ReplaySource} source */
export async function finishedGame(source) {
  const { last } = await source.timeline(null);
  // Only a finished game is shown all open, so a running one is refused here.
  const { view } = await source.step(last, "all");
  return { last, view };
}
