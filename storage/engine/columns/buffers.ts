/**
 * Memory that is written over, from day to day and from report to report. Lists that are made anew are up to 100 MB a
 * second for the collector of garbage, whose threads hits wait for.
 */

/** A list of so many numbers, whatever stands in them. It is good until the next call. */
export type Room<List> = (length: number) => List
type List = Uint8Array | Uint32Array

export function roomOf(kind: Uint8ArrayConstructor): Room<Uint8Array>
export function roomOf(kind: Uint32ArrayConstructor): Room<Uint32Array>
export function roomOf(kind: new (length: number) => List): Room<List> {
  let room = new kind(0)
  return length => {
    if (room.length < length) room = new kind(Math.ceil(length * 1.5))
    return room.subarray(0, length)
  }
}

/** What a report counts in: zeros, written over again by the next one. */
export interface Loan {
  lend(length: number): Float64Array
  /** Ends the use of all that was lent. */
  giveBack(): void
}

const free: Float64Array[] = []
/** Shorter lists are no burden. */
const SHORT = 500
/** Numbers that wait to be lent again, 8 MB. */
const MOST_FREE = 1_000_000

export function openLoan(): Loan {
  const lent: Float64Array[] = []
  return {
    lend(length) {
      if (length < SHORT) return new Float64Array(length)
      const place = free.findIndex(list => list.length >= length && list.length < length * 3)
      const [list = new Float64Array(Math.ceil(length * 1.5))] = place === -1 ? [] : free.splice(place, 1)
      lent.push(list)
      return list.subarray(0, length).fill(0)
    },
    giveBack() {
      if (lent.length === 0) return
      free.unshift(...lent.splice(0))
      let left = MOST_FREE
      const kept = free.findIndex(list => (left -= list.length) < 0)
      if (kept !== -1) free.length = kept
    },
  }
}
