// Scores as text.

/**
 * Return a score as text: 19 half points are "9½".
 * @param {number} score @param {number} [perPoint] how many units of the score make one point
 */
export function pointsText(score, perPoint = 1) {
  const [size, sign] = [Math.abs(score), score < 0 ? "−" : ""];
  const [whole, rest] = [Math.floor(size / perPoint), size % perPoint];
  return sign + (rest * 2 === perPoint ? `${whole || ""}½` : String(whole));
}
