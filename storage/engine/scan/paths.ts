/**
 * Counts paths of up to three steps. A year has too many for a Map: here each takes 20 bytes of a hash table that is at
 * most three quarters full. (Every `!` is inside bounds.)
 */

/** Steps as the id of the page + 1; 0 after the end of the visit. */
export interface Path {
  readonly steps: readonly [first: number, second: number, third: number]
  readonly visits: number
  /** Visits that continued after the third step. */
  readonly onward: number
}

export interface Paths {
  add(first: number, second: number, third: number, onward: boolean): void
  [Symbol.iterator](): Iterator<Path>
}

const FIRST_SIZE = 1024
const WIDTH = 5 // first, second, third, visits, onward

export function openPaths(): Paths {
  let size = FIRST_SIZE
  let cells = new Uint32Array(size * WIDTH)
  let used = 0

  /** Index of the path's entry, existing or new. */
  function placeOf(first: number, second: number, third: number): number {
    let hash = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b) ^ Math.imul(third, 0xc2b2_ae35)
    hash ^= hash >>> 15
    hash = Math.imul(hash, 0x2c1b_3c6d)
    for (let slot = (hash ^ (hash >>> 13)) & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const at = slot * WIDTH
      if (cells[at + 3] === 0) return at
      if (cells[at] === first && cells[at + 1] === second && cells[at + 2] === third) return at
    }
  }

  function put(first: number, second: number, third: number, visits: number, onward: number): void {
    const at = placeOf(first, second, third)
    if (cells[at + 3] === 0) {
      cells[at] = first
      cells[at + 1] = second
      cells[at + 2] = third
      used++
    }
    cells[at + 3]! += visits
    cells[at + 4]! += onward
  }

  function widen(): void {
    const before = cells
    size *= 2
    used = 0
    cells = new Uint32Array(size * WIDTH)
    for (let at = 0; at < before.length; at += WIDTH) {
      const visits = before[at + 3]!
      if (visits > 0) put(before[at]!, before[at + 1]!, before[at + 2]!, visits, before[at + 4]!)
    }
  }

  return {
    add(first, second, third, onward) {
      if (used * 4 >= size * 3) widen()
      put(first, second, third, 1, onward ? 1 : 0)
    },
    *[Symbol.iterator]() {
      for (let at = 0; at < cells.length; at += WIDTH) {
        const visits = cells[at + 3]!
        if (visits > 0) yield { steps: [cells[at]!, cells[at + 1]!, cells[at + 2]!], visits, onward: cells[at + 4]! }
      }
    },
  }
}
