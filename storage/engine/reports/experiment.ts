/**
 * Visitors by the value of a property on their hits, which is the variant they saw, and those who completed a goal then
 * or later that day. Visitors who saw several variants count for none. (Every `!` reads inside a column's bounds.)
 */
import { dimensionOf } from '../vocabulary/dimensions.ts'
import type { Day } from '../days/day.ts'
import { allReads, columnsRead } from '../days/reads.ts'
import { readsOfConditions, type ResolvedCondition } from '../scan/condition.ts'
import { countTogether, type DayCounter, readsOver } from '../scan/day-counter.ts'
import { bitsOfHits, goalBits, type GoalBits, readsOfGoals } from '../scan/goals.ts'
import { keyHits, keyHitsRead, type Property } from '../scan/key-hits.ts'
import type { Workspace } from '../scan/workspace.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { ownSet, propertyOf, resolveAll, silent, textsFor, withoutConversions } from '../scan/resolve.ts'
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import { windowOn } from '../days/spans.ts'

export interface ExperimentQuestion {
  readonly report: 'experiment'
  readonly property: string
  readonly goal: Goal
  /** A variant that is returned whatever its rank. */
  readonly control: string
  /** Most variants to return. */
  readonly limit: number
  readonly span: Span
  readonly compared: Span | null
}

/** The figures of one variant. */
export interface Arm {
  readonly visitors: number
  /** Visits with the property. */
  readonly visits: number
  /** Visitors who completed the goal, and all their completions. */
  readonly converters: number
  readonly conversions: number
  /** When the first of them was shown it in the span, epoch ms; null if there are none. */
  readonly firstShownAt: number | null
}
export interface Variant {
  readonly value: string
  readonly now: Arm
  readonly compared: Arm | null
}
export interface Experiment {
  readonly report: 'experiment'
  /** By visits, highest first. */
  readonly variants: Variant[]
  /** Number of further variants. */
  readonly more: number
  /** Visitors of the span who saw several. */
  readonly mixed: number
  /** The first values, by name, that the property ever had. */
  readonly everSeen: string[]
  readonly controlEverSeen: boolean
}

const MAX_SEEN = 20

export const experimentReport: Report<ExperimentQuestion, Experiment> = async ({ where }, asked, context) => {
  const { property, goal, control, limit, span, compared } = asked
  const { texts } = context
  const dimension = dimensionOf(`property:${property}`)
  if (!dimension) throw new Error(`no property ${property}`)
  const variantOf = await propertyOf(dimension, texts)
  const { key } = variantOf
  const names = await textsFor(dimension, key, texts)
  const whereShown = withoutConversions(where)
  const shown = await resolveAll(whereShown, silent(context))
  const converting = await resolveAll(where, context)
  const setup: Setup = {
    property: variantOf,
    kept: await ownSet(where, dimension, texts),
    bits: await goalBits([goal], [1], texts),
    shown,
    converting: whereShown.length === where.length ? shown : converting,
    variants: names.length,
    workspace: context.workspace,
  }
  const now = armsOver(span, setup)
  const then = compared && armsOver(compared, setup)

  return {
    spans: key === 0 ? [] : compared ? [span, compared] : [span],
    ...countTogether(then ? [now, then] : [now]),
    answer() {
      const met = names.flatMap((name, id) => (now.of(id).visits > 0 || (name === control && id > 0) ? [id] : []))
      const ranked = met.sort((a, b) => now.of(b).visits - now.of(a).visits || (names[a]! < names[b]! ? -1 : 1))
      const kept = ranked.filter((id, rank) => rank < limit || names[id] === control)
      return {
        report: 'experiment',
        variants: kept.map(id => ({ value: names[id]!, now: now.of(id), compared: then && then.of(id) })),
        more: ranked.length - kept.length,
        mixed: now.mixed(),
        everSeen: names
          .filter(name => name !== '')
          .sort()
          .slice(0, MAX_SEEN), // without texts that are gone
        controlEverSeen: names.indexOf(control, 1) > 0,
      }
    },
  }
}

interface Setup {
  readonly property: Property
  /** 1 at the variants to count; null for all. */
  readonly kept: Uint8Array | null
  readonly bits: GoalBits
  /** Selects visits with a variant, and visits that convert: the rate's base ignores filters on goals. */
  readonly shown: readonly ResolvedCondition[]
  readonly converting: readonly ResolvedCondition[]
  /** One more than the highest id. */
  readonly variants: number
  readonly workspace: Workspace
}

interface Arms extends DayCounter {
  mixed(): number
  of(id: number): Arm
}

const armsRead = columnsRead('visits.visitor', 'hits.at')

function armsOver(span: Span, { property, kept, bits, shown, converting, variants, workspace }: Setup): Arms {
  const counts = () => new Float64Array(variants)
  const arms = { visitors: counts(), visits: counts(), converters: counts(), conversions: counts() }
  const firstShownAt = counts().fill(Infinity)
  const buffer = reusedBuffer(Uint32Array)
  const reads = allReads([armsRead, keyHitsRead(property), readsOfGoals(bits), readsOfConditions(shown), readsOfConditions(converting)])
  let mixed = 0

  function add(day: Day): void {
    const window = windowOn(span, day)
    if (window === undefined) return
    const { places, firstHit: firstShown, hitPlaces, values } = keyHits(day, property, workspace.keyHits)
    if (places.length === 0) return
    const { from, to } = window ?? { from: 0, to: Infinity }
    const shownMask = workspace.masks.of(day, shown)
    const convertingMask = converting === shown ? shownMask : workspace.masks.of(day, converting)
    const { count, visitor, firstHit } = day.visits
    const { at } = day.hits
    const completed = hitsWithBits(bitsOfHits(bits, day), buffer)
    let c = 0

    // Visits with the property, a visitor at a time.
    for (let first = 0, next = 0; first < places.length; first = next) {
      const who = visitor[places[first]!]!
      let variant = 0
      let since = Infinity
      let visits = 0
      let several = false
      for (next = first; next < places.length && visitor[places[next]!] === who; next++) {
        if (shownMask !== null && shownMask[places[next]!] === 0) continue
        let met = 0
        for (let i = firstShown[next]!, end = firstShown[next + 1]!; i < end; i++) {
          const id = values[i]!
          const time = at[hitPlaces[i]!]!
          if (id === 0 || (kept !== null && kept[id] !== 1) || time < from || time >= to) continue
          if (variant !== 0 && id !== variant) several = true
          variant = met = id
          if (time < since) since = time
        }
        if (met !== 0) visits++
      }
      if (several) mixed++
      if (several || variant === 0) continue

      // All visits of the visitor: a goal may be completed in one without the property.
      let v = places[first]!
      while (v > 0 && visitor[v - 1] === who) v--
      let after = places[next - 1]! + 1
      while (after < count && visitor[after] === who) after++
      while (c < completed.length && completed[c]! < firstHit[v]!) c++
      let conversions = 0
      for (; c < completed.length && completed[c]! < firstHit[after]!; c++) {
        while (firstHit[v + 1]! <= completed[c]!) v++
        if (convertingMask !== null && convertingMask[v] === 0) continue
        const time = at[completed[c]!]!
        if (time >= since && time < to) conversions++
      }
      arms.visitors[variant]!++
      firstShownAt[variant] = Math.min(firstShownAt[variant]!, day.startsAt + since)
      arms.visits[variant]! += visits
      arms.conversions[variant]! += conversions
      if (conversions > 0) arms.converters[variant]!++
    }
  }

  return {
    reads: readsOver(span, { whole: reads, part: reads }),
    scans: true,
    add,
    mixed: () => mixed,
    of: (id: number): Arm => ({
      visitors: arms.visitors[id]!,
      visits: arms.visits[id]!,
      converters: arms.converters[id]!,
      conversions: arms.conversions[id]!,
      firstShownAt: arms.visitors[id]! > 0 ? firstShownAt[id]! : null,
    }),
  }
}

/** The hits that complete a goal. Valid until the next call. */
function hitsWithBits(bits: Uint32Array, buffer: ReusedBuffer<Uint32Array>): Uint32Array {
  const found = buffer(bits.length)
  let count = 0
  // Without branches: a hit that completes none is overwritten by the next.
  for (let h = 0; h < bits.length; h++) {
    found[count] = h
    count += bits[h] === 0 ? 0 : 1
  }
  return found.subarray(0, count)
}
