/**
 * All chance of the tests, drawn from one seed, so that a failure can be repeated. `npm test` always uses the same seed;
 * `npm test -- --full` draws a new one and prints it, and `SEED=… npm test -- <file>` repeats it. Programs that a test starts
 * as processes use real chance, as the service does: two processes with the same sequence would make the same ids.
 */

/** Of this run. */
export const seed = Number(process.env.SEED || 1)

export interface Chance {
  /** From `min` to `max`, without `max`. */
  int(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  bytes(size: number): Buffer
}

/** A sequence that depends only on the seed of the run and on this name. */
export function chanceOf(name: string): Chance {
  const next = sfc32(`${seed}:${name}`)
  const int = (min: number, max: number) => min + Math.floor((next() / 2 ** 32) * (max - min))
  return {
    int,
    pick: list => list[int(0, list.length)] as (typeof list)[number],
    bytes(size) {
      const words = new Uint32Array(Math.ceil(size / 4))
      for (let i = 0; i < words.length; i++) words[i] = next()
      return Buffer.from(words.buffer, 0, size)
    },
  }
}

let ofFile = chanceOf('')

/** Begins the sequence of `randomBytes` anew, so that a file draws the same bytes whatever ran before it in its process. */
export function beginChance(file: string): void {
  ofFile = chanceOf(file)
}

/** Stands in for `randomBytes` of `node:crypto`. */
export const randomBytes = (size: number): Buffer => ofFile.bytes(size)

/** Chris Doty-Humphrey's small fast counting generator. @returns a function that returns whole numbers below 2³² */
function sfc32(name: string): () => number {
  let [a, b, c, counter] = [hash(name, 1), hash(name, 2), hash(name, 3), 1]
  const next = () => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  return next
}

/** FNV-1a, from another start for each `from`. */
function hash(text: string, from: number): number {
  let sum = Math.imul(from, 0x811c9dc5)
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return sum | 0
}
