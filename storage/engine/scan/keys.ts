/**
 * Numbers for combinations of values, dense and in the order in which they are first seen: the groups of a tally. A hash table
 * of typed arrays, because a `Map` of as many numbers takes several times as long. (Every `!` is inside bounds.)
 */

/** In place of a group: does not count. */
export const NONE = 2 ** 32 - 1

/** A range up to this size needs no table: each key is its own group. */
const SMALL_RANGE = 65_536
const MIN_SLOTS = 1_024

export class Keys {
  /** Whether further keys were refused. */
  isFull = false
  #count = 0
  #keys = new Float64Array(MIN_SLOTS / 2)
  /** Group + 1 at the place of a key; 0 is free. */
  #slots = new Uint32Array(MIN_SLOTS)
  readonly isOwn: boolean
  readonly #max: number

  /**
   * @param range one more than the highest key, which is a safe integer
   * @param max groups; `of` returns `NONE` for further ones
   * @param isOwn whether each key is its own group, however large the range is
   */
  constructor(range: number, max: number, isOwn = range <= SMALL_RANGE) {
    this.isOwn = isOwn
    this.#max = max
    if (isOwn) this.#count = range
  }

  /** Number of groups so far. */
  get count(): number {
    return this.#count
  }

  /** The group of a key, a new one if it has none yet. */
  of(key: number): number {
    if (this.isOwn) return key
    const place = this.#placeOf(key)
    const known = this.#slots[place]!
    return known === 0 ? this.#added(key, place) : known - 1
  }

  /** The group of a key; `NONE` if it has none. */
  find(key: number): number {
    if (this.isOwn) return key
    const known = this.#slots[this.#placeOf(key)]!
    return known === 0 ? NONE : known - 1
  }

  keyOf(group: number): number {
    return this.isOwn ? group : this.#keys[group]!
  }

  /** Where the key is, or where it belongs. */
  #placeOf(key: number): number {
    const slots = this.#slots
    const keys = this.#keys
    const mask = slots.length - 1
    const mixed = Math.imul((key >>> 0) ^ Math.imul((key / 4_294_967_296) >>> 0, 0x85ebca6b), 0x9e3779b1)
    let place = (mixed ^ (mixed >>> 15)) & mask
    while (slots[place] !== 0 && keys[slots[place]! - 1] !== key) place = (place + 1) & mask
    return place
  }

  #added(key: number, place: number): number {
    if (this.#count >= this.#max) {
      this.isFull = true
      return NONE
    }
    const group = this.#count++
    const isGrowing = this.#count * 2 > this.#slots.length
    if (isGrowing) this.#grow(group)
    this.#slots[isGrowing ? this.#placeOf(key) : place] = group + 1 // after growing, every key has another place
    this.#keys[group] = key
    return group
  }

  #grow(before: number): void {
    this.#slots = new Uint32Array(this.#slots.length * 4)
    const keys = new Float64Array(this.#slots.length / 2)
    keys.set(this.#keys.subarray(0, before))
    this.#keys = keys
    for (let group = 0; group < before; group++) this.#slots[this.#placeOf(keys[group]!)] = group + 1
  }
}
