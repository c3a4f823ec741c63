/**
 * The steps of a funnel that visits, or persons, have completed in order. For each step it keeps the chain that began last: with a
 * window, no other can get farther. (Every `!` is inside bounds.)
 */

export interface ChainRules {
  /** `strict`: each step is the hit directly after the hit of the step before. Otherwise, others may lie between. */
  readonly order?: 'strict' | 'any_between' | undefined
  /** Most ms from the first step to the last. */
  readonly within?: number | undefined
}

const NEVER = -1

export class Chains {
  readonly steps: number
  readonly #isStrict: boolean
  readonly #within: number
  /** Steps that each has completed. */
  #stages = new Uint8Array(1)
  /** By step of each, of the latest chain that ends with it: when it began, and when it reached the step. */
  #began: Float64Array
  #reached: Float64Array
  /** By step of each: ms from the step before, when it was first completed. */
  #took: Float64Array

  constructor(steps: number, { order, within = Infinity }: ChainRules) {
    this.steps = steps
    this.#isStrict = order === 'strict'
    this.#within = within
    this.#began = new Float64Array(steps).fill(NEVER)
    this.#reached = new Float64Array(steps)
    this.#took = new Float64Array(steps)
  }

  /** Makes room for so many. */
  grow(count: number): void {
    if (count <= this.#stages.length) return
    const room = Math.max(count, this.#stages.length * 2)
    const stages = new Uint8Array(room)
    stages.set(this.#stages)
    this.#stages = stages
    const longer = (numbers: Float64Array, blank: number) => {
      const all = new Float64Array(room * this.steps).fill(blank)
      all.set(numbers)
      return all
    }
    this.#began = longer(this.#began, NEVER)
    this.#reached = longer(this.#reached, 0)
    this.#took = longer(this.#took, 0)
  }

  clear(one: number): void {
    this.#stages[one] = 0
    this.#began.fill(NEVER, one * this.steps, (one + 1) * this.steps)
  }

  /** The next hit of one, in the order of time. @param bits of the steps that it may complete */
  see(one: number, bits: number, at: number): void {
    const { steps } = this
    const stage = this.#stages[one]!
    if (stage === steps || (bits === 0 && !this.#isStrict)) return
    const first = one * steps
    // From the last step on, so that a hit completes one.
    for (let s = stage; s >= 0; s--) {
      const began = s === 0 ? at : this.#began[first + s - 1]!
      if ((bits & (1 << s)) !== 0 && began !== NEVER && at - began <= this.#within) {
        if (s === stage) {
          this.#took[first + s] = s === 0 ? 0 : at - this.#reached[first + s - 1]!
          this.#stages[one] = s + 1
        }
        this.#began[first + s] = began
        this.#reached[first + s] = at
      } else if (this.#isStrict) this.#began[first + s] = NEVER
    }
  }

  stageOf(one: number): number {
    return this.#stages[one]!
  }

  /** Ms from the step before, of a step that it has completed. */
  tookOf(one: number, step: number): number {
    return this.#took[one * this.steps + step]!
  }
}
