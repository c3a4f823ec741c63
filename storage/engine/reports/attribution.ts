/**
 * Attribution: the visits of a person that led to a goal, and how models divide the credit among them. Days before the span are read
 * as far back as a path reaches. (Every `!` is inside bounds.)
 */
import { apportioned } from '../columns/apportion.ts'
import { NumberSet } from '../columns/number-set.ts'
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { best } from '../scan/best.ts'
import { ofGoals } from '../scan/breakdown.ts'
import { type CompletedVisits, completingHits, openCompletedVisits } from '../scan/completions.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { divideBy } from '../scan/credit.ts'
import { goalBits, marks, onlyEvent, readsOfGoals } from '../scan/goals.ts'
import { worthsOf } from '../scan/worths.ts'
import { resolveAll, textsFor } from '../scan/resolve.ts'
import { blankPath, Touches } from '../scan/touches.ts'
import { MAX_TOUCHES, type Model, PARTS } from '../vocabulary/attribution.ts'
import { dimensionOf } from '../vocabulary/dimensions.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { DAY_MS } from '../../values/durations.ts'

export interface AttributionQuestion {
  readonly report: 'attribution'
  /** Null for purchases: hits that brought revenue. Refunds lower the revenue and are none. */
  readonly goal: Goal | null
  /** A stored dimension of visits. */
  readonly dimension: string
  /** The period, and what it is compared with. */
  readonly spans: readonly Span[]
  /** How many days before the visit with the goal the other visits of a path may begin. With 0, a path is only that visit. */
  readonly lookbackDays: number
  /** Rows are sorted by the first of them. */
  readonly models: readonly Model[]
  readonly offset: number
  readonly limit: number
}
export interface Credit {
  /** In `PARTS` of a completion; a whole number. */
  readonly parts: number
  /** Minor units. */
  readonly revenue: number
}
export interface AttributionTotal {
  readonly conversions: number
  readonly revenue: number
  /** Completions in visits of known persons. */
  readonly identified: number
  /** Visits of all paths, once for each completion. */
  readonly touches: number
}
export interface AttributionRow {
  readonly value: string
  /** Credits of each span, for each model. */
  readonly credits: readonly (readonly Credit[])[]
}
export interface Attribution {
  readonly report: 'attribution'
  /** Totals of each span. In every model, the credits of all values add up to it. */
  readonly totals: readonly AttributionTotal[]
  readonly rows: readonly AttributionRow[]
  /** The number of values with a credit. */
  readonly values: number
}

/** Visits of other time zones, and those that began on the day before. */
const AROUND_DAYS = 2
const DIRECT = 'Direct'
/** Few visits of a period belong to persons with a completion, and every visit is looked up. */
const ROOM = 16

export const attributionReport: Report<AttributionQuestion, Attribution> = async ({ where }, asked, context) => {
  const { goal, spans, lookbackDays, models, offset, limit } = asked
  const { texts, workspace } = context
  const dimension = dimensionOf(asked.dimension)
  const column = dimension?.column ?? null
  if (!dimension || column === null || dimension.derived) throw new Error(`goals are not attributed by ${asked.dimension}`)
  const conditions = await resolveAll(where, context)
  const narrowing = workspace.narrowings.by(conditions)
  const rest = goal ? ofGoals(narrowing) : (narrowing?.hits ?? [])
  const bits = goal && (await goalBits([goal], [1], texts))
  const event = bits && onlyEvent(bits)
  const worths = await worthsOf(goal ? [goal] : [], texts)
  const names = await textsFor(dimension, 0, texts)
  const isDirect = marks(await texts.of('channel'), channel => channel === '' || channel === DIRECT)

  const ofPaths = columnsRead(`visits.${column}`, 'visits.person', 'visits.channel', 'visits.firstHit', 'hits.at')
  const within = allReads([
    ofPaths,
    columnsRead('hits.revenue'),
    bits ? readsOfGoals(bits) : NO_COLUMNS,
    worths.reads,
    readsOfConditions(conditions),
    readsOfConditions(rest),
  ])
  const earlier = lookbackDays === 0 ? [] : spans.map(span => stretched(span, lookbackDays + AROUND_DAYS))
  /** Those with a completion, whose visits may be on a path. */
  const persons = lookbackDays === 0 ? null : new NumberSet(ROOM)
  const touches = persons && new Touches(persons, (lookbackDays + AROUND_DAYS) * DAY_MS)
  const path = blankPath(MAX_TOUCHES)
  const shares = new Float64Array(MAX_TOUCHES)
  const credits = new Credits(spans.length, models, names.length)
  const totals = spans.map(() => ({ conversions: 0, revenue: 0, identified: 0, touches: 0 }))
  const completedVisits = openCompletedVisits(goal === null)
  /** By day, as long as it stays in memory, the hits that the look at persons found. */
  const known = new WeakMap<Day, readonly (Uint32Array | null)[]>()
  const touched = (day: Parameters<typeof windowOn>[1], of: readonly Span[]) => of.some(span => windowOn(span, day) !== undefined)

  /** The hits that complete the goal within the part of a day that each span covers; null if it covers nothing. */
  const hitsOn = (day: Day): readonly (Uint32Array | null)[] =>
    spans.map(span => {
      const window = windowOn(span, day)
      if (window === undefined) return null
      const { masks, narrowings, eventVisits } = workspace
      const [mask, met] = [masks.of(day, conditions), narrowings.met(day, rest)]
      return completingHits(day, { goal: bits, event, mask, window, met, eventVisits })
    })
  const visitsWith = (day: Day, hits: Uint32Array): CompletedVisits => {
    const worth = worths.on(day)
    return completedVisits(day, hits, worth && (hit => worth(0, hit)))
  }

  /** Divides the credit for the goals of a day's visits. */
  function divide(day: Day, span: number, { count, visits, times, money }: CompletedVisits): void {
    const { startsAt } = day
    const { person, channel, firstHit, [column!]: group } = day.visits // read once, because a property of a sealed day is slow
    const { at: timesOfHits } = day.hits
    const total = totals[span]!
    for (let i = 0; i < count; i++) {
      const [conversions, revenue] = [times[i]!, money[i]!]
      if (conversions === 0 && revenue === 0) continue
      const v = visits[i]!
      const who = person[v]!
      if (who !== 0 && persons?.placeOf(who) === 0) continue // came to an open day after the look at persons
      const at = startsAt + timesOfHits[firstHit[v]!]!
      path.count = 1
      path.at[0] = at
      path.group[0] = group[v]!
      path.isDirect[0] = isDirect[channel[v]!]!
      if (who !== 0) touches?.collect(who, { from: at - lookbackDays * DAY_MS, before: at }, path)
      total.conversions += conversions
      total.revenue += revenue
      total.touches += conversions * path.count
      if (who !== 0) total.identified += conversions
      for (let model = 0; model < models.length; model++) {
        divideBy[models[model]!](path, shares)
        for (let t = 0; t < path.count; t++) {
          const share = shares[t]!
          if (share > 0) credits.add(span, model, path.group[t]!, conversions * share, revenue * share)
        }
      }
    }
  }

  return {
    spans: [...spans, ...earlier],
    reads: day => (touched(day, spans) ? within : touched(day, earlier) ? ofPaths : null),
    scans: true,
    before: persons && {
      spans,
      reads: day => (touched(day, spans) ? within : null),
      add(day) {
        const { person } = day.visits
        const found = hitsOn(day)
        known.set(day, found)
        for (const hits of found) {
          if (hits === null) continue
          const { count, visits } = visitsWith(day, hits)
          for (let i = 0; i < count; i++) if (person[visits[i]!] !== 0) persons.add(person[visits[i]!]!)
        }
      },
    },
    add(day) {
      touches?.add(day, day.visits[column], { channel: day.visits.channel, isDirect })
      if (!touched(day, spans)) return
      for (const [span, hits] of (known.get(day) ?? hitsOn(day)).entries()) if (hits !== null) divide(day, span, visitsWith(day, hits))
    },
    answer() {
      const { groups, of } = credits.rounded(totals)
      const sizes = of(0, 0)
      const order = best(
        Array.from(groups.keys()),
        (a, b) =>
          sizes.parts[b]! - sizes.parts[a]! ||
          sizes.revenue[b]! - sizes.revenue[a]! ||
          ((names[groups[a]!] ?? '') < (names[groups[b]!] ?? '') ? -1 : 1),
        offset + limit,
      )
      const rows = order.slice(offset).map(place => ({
        value: names[groups[place]!] ?? '',
        credits: spans.map((_, span) =>
          models.map((_, model) => {
            const { parts, revenue } = of(span, model)
            return { parts: parts[place]!, revenue: revenue[place]! }
          }),
        ),
      }))
      return { report: 'attribution', totals, rows, values: groups.length }
    },
  }
}

/** The span and the days before it. */
function stretched({ fromDay, toDay }: Span, days: number): Span {
  return { from: 0, to: 0, fromDay: fromDay - days, toDay, whole: true }
}

/** Sums by group, for each span and model. Groups are numbered as they come, because few of a long list of texts lead to a goal. */
class Credits {
  readonly #models: number
  readonly #numbers: Uint32Array
  readonly #groups: number[] = []
  readonly #conversions: Float64Array[]
  readonly #revenue: Float64Array[]

  constructor(spans: number, { length: models }: { readonly length: number }, texts: number) {
    this.#models = models
    this.#numbers = new Uint32Array(texts)
    const blank = () => Array.from({ length: spans * models }, () => new Float64Array(64))
    this.#conversions = blank()
    this.#revenue = blank()
  }

  add(span: number, model: number, group: number, conversions: number, revenue: number): void {
    const place = this.#placeOf(group)
    const at = span * this.#models + model
    this.#conversions[at]![place]! += conversions
    this.#revenue[at]![place]! += revenue
  }

  #placeOf(group: number): number {
    const known = this.#numbers[group]!
    if (known > 0) return known - 1
    const place = this.#groups.push(group) - 1
    this.#numbers[group] = place + 1
    if (place >= this.#conversions[0]!.length) {
      for (const sums of [this.#conversions, this.#revenue]) {
        for (const [i, sum] of sums.entries()) {
          const wider = new Float64Array(sum.length * 2)
          wider.set(sum)
          sums[i] = wider
        }
      }
    }
    return place
  }

  /** Whole numbers of each group that add up to the totals of the spans. */
  rounded(totals: readonly { readonly conversions: number; readonly revenue: number }[]) {
    const { length } = this.#groups
    const known = new Map<number, { parts: Float64Array; revenue: Float64Array }>()
    const of = (span: number, model: number) => {
      const at = span * this.#models + model
      const before = known.get(at)
      if (before) return before
      const { conversions, revenue } = totals[span]!
      const rounded = {
        parts: apportioned(
          this.#conversions[at]!.subarray(0, length).map(share => share * PARTS),
          conversions * PARTS,
        ),
        revenue: apportioned(this.#revenue[at]!.slice(0, length), revenue),
      }
      known.set(at, rounded)
      return rounded
    }
    return { groups: this.#groups, of }
  }
}
