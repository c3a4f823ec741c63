/**
 * A walk passes over the numbers of a field, one after another, and says what each is expected to be. One walk serves both
 * directions, so packing and unpacking cannot differ. Each field has a loop of its own, which the compiler optimises for the
 * columns that it reads.
 */
import type { Known, NumberList } from './known.ts'
import type { Numbers } from './numbers.ts'

export interface Io {
  /** Takes the number at `i`, of which a stream has the difference from the expected one. Streams are encoded separately. */
  next(expected: number, stream: number, i: number): number
  /** The number at `i` is as expected, and nothing is stored. */
  derived(expected: number, i: number): number
}

/** Sets all numbers, each to what `io` returns for it. */
export type Walk = (known: Known, io: Io, numbers: Float64Array) => void

/** The stored form of a number: itself; its difference from the expected one; or 0 for the expected one, else one more than itself. */
export type How = 'plain' | 'difference' | 'expected'

/** Notes what is stored of numbers, by stream. */
export class Noting implements Io {
  readonly streams = new Map<number, number[]>()
  readonly #numbers: NumberList
  readonly #how: How
  readonly #name: string

  constructor(name: string, how: How, numbers: NumberList) {
    this.#name = name
    this.#how = how
    this.#numbers = numbers
  }

  /** @throws RangeError for a negative number that has no difference */
  next(expected: number, stream: number, i: number): number {
    const n = this.#numbers[i]!
    if (this.#how === 'expected' && n < 0) throw new RangeError(`${this.#name} is ${n}`)
    const stored = this.#how === 'plain' ? n : this.#how === 'difference' ? n - expected : n === expected ? 0 : n + 1
    const known = this.streams.get(stream)
    if (known) known.push(stored)
    else this.streams.set(stream, [stored])
    return n
  }

  /** @throws RangeError if the number does not follow */
  derived(expected: number, i: number): number {
    const n = this.#numbers[i]!
    if (n !== expected) throw new RangeError(`${this.#name} is ${n}, and follows as ${expected}`)
    return n
  }
}

/** A stream that is read. */
interface Reading {
  readonly numbers: Numbers
  at: number
}
const NOTHING: Reading = { numbers: new Uint8Array(0), at: 0 }

/** Reads what is stored of numbers. A stream that is not there has zeros. */
export class Taking implements Io {
  readonly #streams: ReadonlyMap<number, Reading>
  readonly #how: 0 | 1 | 2
  #stream = -1
  #reading = NOTHING

  constructor(how: How, streams: readonly (readonly [stream: number, numbers: Numbers])[]) {
    this.#how = how === 'plain' ? 0 : how === 'difference' ? 1 : 2
    this.#streams = new Map(streams.map(([stream, numbers]) => [stream, { numbers, at: 0 }]))
  }

  next(expected: number, stream: number): number {
    if (stream !== this.#stream) {
      this.#stream = stream
      this.#reading = this.#streams.get(stream) ?? NOTHING
    }
    const reading = this.#reading
    // Beyond the end is 0, which `end` finds.
    const stored = reading.at < reading.numbers.length ? reading.numbers[reading.at]! : 0
    if (reading !== NOTHING) reading.at++
    return this.#how === 0 ? stored : this.#how === 1 ? stored + expected : stored === 0 ? expected : stored - 1
  }

  derived(expected: number): number {
    return expected
  }

  /** @throws Error if the streams had more or fewer numbers */
  end(): void {
    for (const { numbers, at } of this.#streams.values())
      if (at !== numbers.length) throw new Error('the columns of a block do not fit each other')
  }
}
