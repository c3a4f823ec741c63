/** The last value with a key; 0 for none. Keys are usually ids of a dictionary, for which a list is faster than a map. */
const MAX_LISTED = 1 << 20
/** Shared by all that are in use one after another: an entry of an earlier one has another mark. */
let [values, marks] = [new Float64Array(1 << 10), new Uint32Array(1 << 10)]
let newest = 0

export class Latest {
  readonly #mark = ++newest
  #others: Map<number, number> | undefined

  get(key: number): number {
    if (key >= MAX_LISTED) return this.#others?.get(key) ?? 0
    return marks[key] === this.#mark ? values[key]! : 0
  }

  set(key: number, value: number): void {
    if (key >= MAX_LISTED) {
      this.#others ??= new Map()
      this.#others.set(key, value)
      return
    }
    if (key >= marks.length) grow(key)
    marks[key] = this.#mark
    values[key] = value
  }
}

function grow(key: number): void {
  const length = 2 ** Math.ceil(Math.log2(key + 1))
  const [moreValues, moreMarks] = [new Float64Array(length), new Uint32Array(length)]
  moreValues.set(values)
  moreMarks.set(marks)
  values = moreValues
  marks = moreMarks
}
