/**
 * An object with these keys, to be copied and filled for each row of a file. A parsed object has its shape from the
 * beginning; an object that grows by each key, or is made of entries, becomes a hash table, which takes ten times the
 * memory.
 */
export const blankOf = <T extends string | null>(keys: readonly string[], value: T): Record<string, T> =>
  JSON.parse(JSON.stringify(Object.fromEntries(keys.map(key => [key, value]))))
