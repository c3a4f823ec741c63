/** Notifies the scripts of a page of new content: after the page was loaded, and after a part was replaced. */

/** @type {((root: ParentNode) => void)[]} */
const listeners = []

/** @param {(root: ParentNode) => void} listener called at once, and again for every new part */
export function whenShown(listener) {
  listeners.push(listener)
  listener(document)
}

/** @param {ParentNode} root */
export function tellShown(root) {
  for (const listener of listeners) listener(root)
}
