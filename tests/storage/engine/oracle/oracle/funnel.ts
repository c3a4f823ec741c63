/** A funnel by brute force: tries every choice of hits in order. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import { type Instants, lies, type Oracle, type OracleFilter, type OracleGoal, pagesOf, type Visit } from '../oracle.ts'

export interface FunnelRules {
  readonly isStrict: boolean
  /** Ms from the first step to the last. */
  readonly within: number
  readonly ofPeople: boolean
  /** Null: not divided. */
  readonly by: string | null
}
type Done = readonly { readonly at: number; readonly completes: readonly boolean[] }[]

/** For each step that can be reached: ms from the latest completion of the step before to its first one. */
function reachedBy(steps: number, hits: Done, { isStrict, within }: FunnelRules): number[] {
  const took: number[] = []
  // For each hit, when the chains begin that it is the end of.
  let before: number[][] = hits.map(({ at, completes }) => (completes[0] ? [at] : []))
  for (let step = 0; step < steps; step++) {
    const ends =
      step === 0
        ? before
        : hits.map(({ at, completes }, i) =>
            completes[step]
              ? before.flatMap((starts, j) => (j < i && (!isStrict || j === i - 1) ? starts.filter(start => at - start <= within) : []))
              : [],
          )
    const first = ends.findIndex(starts => starts.length > 0)
    if (first < 0) break
    const from = step === 0 ? first : before.findLastIndex((starts, j) => j < first && starts.length > 0)
    took.push(hits[first]!.at - hits[from]!.at)
    before = ends
  }
  return took
}

function valueOf(dimension: string, visit: Visit): string {
  if (dimension === 'entry_page') return pagesOf(visit)[0]?.page ?? ''
  if (dimension === 'exit_page') return pagesOf(visit).at(-1)?.page ?? ''
  return visit.first[dimension as 'country'] ?? ''
}

function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return Math.round((below + (above - below) * (place - Math.floor(place))) * 1_000)
}

/** Visits and visitors (or people) of all, and of those that complete the first step, the first two …; times; and groups. */
export function funnelOf(
  oracle: Oracle,
  steps: readonly OracleGoal[],
  part: Instants,
  filters: readonly OracleFilter[],
  rules: FunnelRules,
) {
  const within = (visit: Visit) => visit.hits.filter(one => lies(part, visit, one.at))
  const there = oracle.kept(filters).filter(visit => within(visit).length > 0)
  const done = (visit: Visit) =>
    within(visit).map((one: NewHit) => ({ at: one.at, visit, completes: steps.map(step => oracle.completes(visit, one, step)) }))
  const unit = (who: string, hits: ReturnType<typeof done>) => {
    const inOrder = hits.toSorted((a, b) => a.at - b.at)
    const visit = (inOrder.find(({ completes }) => completes[0]) ?? inOrder[0])?.visit
    return { who, took: reachedBy(steps.length, inOrder, rules), value: visit && rules.by ? valueOf(rules.by, visit) : '' }
  }
  const persons = [...new Set(there.flatMap(({ person }) => person?.id ?? []))]
  const units = rules.ofPeople
    ? persons.map(id => unit(id, there.filter(({ person }) => person?.id === id).flatMap(done)))
    : there.map(visit => unit(visit.visitor, done(visit)))
  const stagesOf = (some: typeof units) =>
    [0, ...steps.map((_, i) => i + 1)].map(taken => {
      const far = some.filter(({ took }) => took.length >= taken)
      return { visits: far.length, visitors: new Set(far.map(({ who }) => who)).size }
    })
  const times = steps.map((_, step) => {
    const all = units.flatMap(({ took }) => (step > 0 && took[step] !== undefined ? [Math.round(took[step] / 1_000)] : []))
    return all.length === 0 ? [null, null] : [percentile(all, 0.5), percentile(all, 0.9)]
  })
  const begun = rules.ofPeople ? units.filter(({ took }) => took.length > 0) : units
  const groups = new Map(
    [...new Set(begun.map(({ value }) => value))].map(value => [value, stagesOf(begun.filter(one => one.value === value))]),
  )
  return { stages: stagesOf(units), times, groups }
}
