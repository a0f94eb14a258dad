// Reading prompts: which commands a prompt offers, and whether the selected values fit. The server decides what is
// legal; nothing here adds to the prompt.

/** @typedef {{do: string, [field: string]: any}} Choice */

/** @param {any} view @returns {Choice[]} what this seat may answer now; empty when it is not asked */
export function choicesOf(view) {
  return view.play?.decision?.prompt?.choices ?? [];
}

/** @param {any} view @param {string} name @returns {Choice | undefined} */
export function choiceOf(view, name) {
  return choicesOf(view).find((choice) => choice.do === name);
}

/** @param {number[]} numbers */
export function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Return whether these values fit a prompt field that takes some of its values.
 * @param {{some_of: any[], least: number, most: number, above?: number}} space @param {any[]} chosen
 */
export function fitsSome(space, chosen) {
  if (chosen.length < space.least || chosen.length > space.most) return false;
  return space.above === undefined || total(chosen) > space.above;
}

/**
 * Return whether these numbers fit a prompt field that takes amounts.
 * @param {{amounts: [number, number][], step: number, least: number}} space @param {number[]} chosen
 */
export function fitsAmounts(space, chosen) {
  const each = space.amounts.every(([, most], index) => {
    const number = chosen[index] ?? 0;
    return Number.isInteger(number) && number >= 0 && number <= most && number % space.step === 0;
  });
  return each && total(chosen) >= space.least;
}

/**
 * Return what is still missing for each due of a prompt field that takes shares.
 * @param {{shares: number[], dues: [number, number][]}} space @param {number[][]} shares
 */
export function missingShares(space, shares) {
  return space.dues.map(([, due], index) => Math.max(0, due - total(shares[index] ?? [])));
}
