/** Values that follow from known fields: the hits of each visit, their pages, the numbers that are taken. */
import type { FieldName, TableOfField } from './field-numbers.ts'
import type { Numbers } from './numbers.ts'

export type NumberList = Numbers | readonly number[]

/** The fields of a block, while it is packed or unpacked. All are read before the first number of another field is. */
export interface Known {
  get(name: FieldName): NumberList
  readonly counts: Readonly<Record<TableOfField, number>>
  /** The first hit of each visit, and the number of hits at the end. */
  readonly firstHit: Uint32Array
  readonly visitOfHit: Uint32Array
  readonly hitOfProp: Uint32Array
  /** Time from the start of a visit to its first, or last, pageview; 0 without one. */
  firstViews(): (visit: number) => number
  lastViews(): (visit: number) => number
  /** One more than the highest `seq` of a visit. */
  nextSeqs(): (visit: number) => number
  /** The first `seq` from one on that no vital or click of the visit has. */
  freeSeqs(): (visit: number, from: number) => number
  /** The page of the hit of a visit that came last before a `seq`; 0 for none. */
  pagesBefore(): (visit: number, seq: number) => number
}

export function knownFrom(get: Known['get'], counts: Known['counts']): Known {
  let firstHit: Uint32Array | undefined
  let visitOfHit: Uint32Array | undefined
  let hitOfProp: Uint32Array | undefined
  let measured: ReadonlyMap<number, ReadonlySet<number>> | undefined

  function views(isFirst: boolean): (visit: number) => number {
    const { firstHit: first } = known
    const [events, times, starts] = [get('event'), get('at'), get('started_at')]
    return v => {
      const [from, to] = [first[v]!, first[v + 1]!]
      if (isFirst) {
        for (let h = from; h < to; h++) if (events[h] === 0) return times[h]! - starts[v]!
      } else {
        for (let h = to - 1; h >= from; h--) if (events[h] === 0) return times[h]! - starts[v]!
      }
      return 0
    }
  }

  const known: Known = {
    get,
    counts,
    get firstHit() {
      return (firstHit ??= startsOf(get('hits_of_visit')))
    },
    get visitOfHit() {
      return (visitOfHit ??= owners(known.firstHit))
    },
    get hitOfProp() {
      return (hitOfProp ??= owners(startsOf(get('props_of_hit'))))
    },
    firstViews: () => views(true),
    lastViews: () => views(false),
    nextSeqs() {
      const { firstHit: first } = known
      const [seqs, taken] = [get('seq'), takenSeqs()]
      return v => {
        let max = -1
        for (let h = first[v]!; h < first[v + 1]!; h++) if (seqs[h]! > max) max = seqs[h]!
        for (const seq of taken.get(v) ?? []) if (seq > max) max = seq
        return max + 1
      }
    },
    freeSeqs() {
      const taken = takenSeqs()
      return (v, from) => {
        const ofVisit = taken.get(v)
        let seq = from
        while (ofVisit?.has(seq)) seq++
        return seq
      }
    },
    pagesBefore() {
      const { firstHit: first } = known
      const [pages, seqs] = [get('page'), get('seq')]
      return (v, seq) => {
        let [best, page] = [-1, 0]
        if (v < 0) return page
        for (let h = first[v]!; h < first[v + 1]!; h++) {
          if (seqs[h]! < seq && seqs[h]! > best) [best, page] = [seqs[h]!, pages[h]!]
        }
        return page
      }
    },
  }

  /** By visit, the numbers of its vitals and clicks. */
  function takenSeqs(): ReadonlyMap<number, ReadonlySet<number>> {
    if (measured) return measured
    const found = new Map<number, Set<number>>()
    for (const of of ['vital', 'click'] as const) {
      const [places, seqs] = [get(`${of}_place`), get(`${of}_seq`)]
      for (let i = 0; i < places.length; i++) {
        const visit = places[i]! - 1
        const known = found.get(visit)
        if (known) known.add(seqs[i]!)
        else found.set(visit, new Set([seqs[i]!]))
      }
    }
    return (measured = found)
  }

  return known
}

/** The start of each group, and the end of all. */
function startsOf(sizes: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1)
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = starts[i]! + sizes[i]!
  return starts
}

/** The group of each member. */
function owners(starts: Uint32Array): Uint32Array {
  const found = new Uint32Array(starts.at(-1) ?? 0)
  for (let group = 0, i = 0; group + 1 < starts.length; group++) for (const end = starts[group + 1]!; i < end; i++) found[i] = group
  return found
}
