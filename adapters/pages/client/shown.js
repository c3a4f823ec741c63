/** Tells the parts of a page that there is something new on it: when it was loaded, and whenever some of it was put in place. */

/** @type {((root: ParentNode) => void)[]} */
const listeners = []

/** @param {(root: ParentNode) => void} listener called at once, and for whatever comes later */
export function whenShown(listener) {
  listeners.push(listener)
  listener(document)
}

/** @param {ParentNode} root */
export function tellShown(root) {
  for (const listener of listeners) listener(root)
}
