/** Parameters of a query or a form. */

/** Characters of a form that are read. */
const MAX_LENGTH = 65_536

/**
 * Parameters by name. If a name is repeated, the last value counts. They are put into a map, because anyone can send many of them,
 * and `URLSearchParams.set` searches the whole list each time.
 */
export const paramsIn = (...texts: ReadonlyArray<URLSearchParams | string>): ReadonlyMap<string, string> =>
  new Map(texts.flatMap(each => [...(typeof each === 'string' ? new URLSearchParams(each.slice(0, MAX_LENGTH)) : each)]))
