// Patches, the differences between two views of a table. protocol/patch.py creates them and describes their format.
//
// Nothing is changed in place: an unchanged part is the same object before and after, so components can compare by
// identity.

/** @typedef {any} Json null, boolean, number, string, and arrays and objects of these */
/** @typedef {(string | number)[]} Path */
/**
 * @typedef {["set", Path, Json] | ["drop", Path] | ["splice", Path, number, number, Json[]]} Operation
 */

/** The patch was made for another view. The caller requests the whole view again. */
export class Unpatchable extends Error {}

/**
 * Return the view after the patch; throw `Unpatchable` if it was made for another view.
 *
 * @param {Json} view
 * @param {Operation[]} patch
 * @returns {Json}
 */
export function applyPatch(view, patch) {
  return patch.reduce((before, operation) => applyOperation(operation, before, 0), view);
}

/**
 * Return a part of a view, at this depth of the operation's path, after the operation.
 *
 * @param {Operation} operation
 * @param {Json} part
 * @param {number} depth
 * @returns {Json}
 */
function applyOperation(operation, part, depth) {
  const [word, path] = operation;
  if (depth === path.length) return replaceValue(operation, part);
  const key = path[depth];
  if (Array.isArray(part) && typeof key === "number" && key in part) {
    return part.with(key, applyOperation(operation, part[key], depth + 1));
  }
  if (isObject(part) && typeof key === "string") {
    const isLast = depth + 1 === path.length;
    if (Object.hasOwn(part, key)) {
      if (isLast && word === "drop") return omit(part, key);
      return { ...part, [key]: applyOperation(operation, part[key], depth + 1) };
    }
    if (isLast && word === "set") return { ...part, [key]: operation[2] };
  }
  throw new Unpatchable(`The view has nothing at ${JSON.stringify(path)}.`);
}

/**
 * @param {Operation} operation
 * @param {Json} part
 * @returns {Json}
 */
function replaceValue(operation, part) {
  if (operation[0] === "set") return operation[2];
  if (operation[0] === "splice" && Array.isArray(part)) {
    const [, , start, count, values] = operation;
    if (start >= 0 && count >= 0 && start + count <= part.length) return part.toSpliced(start, count, ...values);
  }
  throw new Unpatchable(`${operation[0]} does not fit what the view has at ${JSON.stringify(operation[1])}.`);
}

/**
 * @param {{ [key: string]: Json }} object
 * @param {string} key
 * @returns {{ [key: string]: Json }}
 */
function omit(object, key) {
  const { [key]: _, ...rest } = object;
  return rest;
}

/**
 * @param {Json} part
 * @returns {part is { [key: string]: Json }}
 */
function isObject(part) {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}
