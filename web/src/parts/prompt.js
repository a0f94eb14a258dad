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
 * Return whether amounts and draws that fit their fields meet the condition on both: something is promised, and the
 * numbers listed under the draws can give it. The largest go to the amounts; as many must be left as all draws together.
 * @param {{payable: number[]}} space of the draws @param {number[]} amounts @param {number[]} draws
 */
export function isPayable({ payable }, amounts, draws) {
  const left = [...payable].sort((one, other) => one - other);
  /** What is missing of the amounts, in every way to give the largest numbers away. @type {number[][]} */
  let ways = [amounts];
  while (left.length && !ways.some((missing) => total(missing) === 0)) {
    const number = left.pop() ?? 0;
    const after = ways.flatMap((missing) => missing.flatMap((due, index) => (due ? [missing.with(index, Math.max(0, due - number))] : [])));
    ways = [...new Map(after.map((missing) => [String(missing), missing])).values()];
  }
  return total(amounts) + total(draws) > 0 && ways.some((missing) => total(missing) === 0) && left.length >= total(draws);
}

/**
 * Return whether these shares fit a prompt field that takes shares.
 * @param {{shares: number[], dues: [number, number][], most: number}} space @param {number[][]} shares
 */
export function fitsShares(space, shares) {
  const isOwed = space.dues.every(([, due], index) => due > 0 || shares[index].length === 0);
  return isOwed && missingShares(space, shares).every((missing) => missing === 0) && total(shares.map((share) => share.length)) <= space.most;
}

/**
 * Return what is still missing for each due of a prompt field that takes shares.
 * @param {{shares: number[], dues: [number, number][]}} space @param {number[][]} shares
 */
export function missingShares(space, shares) {
  return space.dues.map(([, due], index) => Math.max(0, due - total(shares[index] ?? [])));
}
