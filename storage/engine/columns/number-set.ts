/**
 * A set of whole numbers from 1 on that only grows: a hash table while it has few of them, and a bit for each number as soon as
 * that is smaller. Adding a number takes some ns; a bitmap of runs and arrays (Roaring) searches an array of each. (Every `!` is
 * inside bounds.)
 */

const LEAST = 16
/** Smaller tables grow faster, as each of their numbers is added again. */
const SMALL = 4_096

export class NumberSet {
  readonly #room: number
  size = 0
  #table: Uint32Array | null = new Uint32Array(LEAST)
  #bits = new Uint32Array(0)
  /** Of the table. */
  #max = 0

  /** @param room least places of a table for each number: with more of them, it takes more memory, and `placeOf` takes less time */
  constructor(room = 2) {
    this.#room = room
  }

  /** @param n a whole number from 1 to 2^32 - 1 */
  add(n: number): void {
    if (this.#table === null) return this.#set(n)
    if (n > this.#max) this.#max = n
    const table = this.#table
    const last = table.length - 1
    let place = placeIn(n, last)
    for (let there = table[place]!; there !== 0; there = table[place]!) {
      if (there === n) return
      place = (place + 1) & last
    }
    table[place] = n
    this.size++
    if (this.size * this.#room > table.length) this.#grow(table)
  }

  /** For each number in the set one of its own, below `places`, until another is added. For other numbers, and for 0, it is 0. */
  placeOf(n: number): number {
    const table = this.#table
    if (table === null) return n >>> 5 < this.#bits.length && ((this.#bits[n >>> 5]! >>> (n & 31)) & 1) === 1 ? n : 0
    const last = table.length - 1
    let place = placeIn(n, last)
    for (let there = table[place]!; there !== 0; there = table[place]!) {
      if (there === n) return place + 1
      place = (place + 1) & last
    }
    return 0
  }

  get places(): number {
    return this.#table === null ? this.#bits.length * 32 : this.#table.length + 1
  }

  /** @param numbers as for `add` */
  addAll(numbers: Uint32Array): void {
    let i = 0
    while (i < numbers.length && this.#table !== null) this.add(numbers[i++]!)
    if (this.#table !== null) return
    let last = 0
    for (let k = i; k < numbers.length; k++) if (numbers[k]! >>> 5 > last) last = numbers[k]! >>> 5
    this.#reach(last)
    const bits = this.#bits
    let size = this.size
    for (; i < numbers.length; i++) {
      const [n, word] = [numbers[i]!, numbers[i]! >>> 5]
      const before = bits[word]!
      size += ((before >>> (n & 31)) & 1) ^ 1
      bits[word] = before | (1 << (n & 31))
    }
    this.size = size
  }

  #reach(word: number): void {
    if (word < this.#bits.length) return
    const wider = new Uint32Array(Math.max(word + 1, this.#bits.length * 2))
    wider.set(this.#bits)
    this.#bits = wider
  }

  #set(n: number): void {
    const word = n >>> 5
    this.#reach(word)
    const bit = 1 << (n & 31)
    if ((this.#bits[word]! & bit) !== 0) return
    this.#bits[word]! |= bit
    this.size++
  }

  #grow(table: Uint32Array): void {
    const areBitsSmaller = this.#max / 32 <= table.length * 2
    this.size = 0
    if (areBitsSmaller) {
      this.#table = null
      this.#bits = new Uint32Array((this.#max >>> 5) + 1)
    } else this.#table = new Uint32Array(table.length * (table.length < SMALL ? 4 : 2))
    for (const n of table) if (n !== 0) this.add(n)
  }
}

const placeIn = (n: number, last: number): number => (Math.imul(n, 0x9e3779b1) >>> 7) & last
