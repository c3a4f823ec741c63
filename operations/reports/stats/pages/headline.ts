/** Figures of the overview: the headline metrics, and how many visits bought something. Figures of sales only if there were any. */
import type { Static } from '../../../../runtime/table/schema.ts'
import type { Unit } from '../../../../runtime/table/schema.ts'
import type { Viewer } from '../../../../runtime/ui/format.ts'
import { fieldWords } from '../../../../runtime/ui/words.ts'
import { headline } from '../../../../storage/engine/vocabulary/metrics.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { measured } from '../measured.ts'
import type { Overview } from '../overview/records.ts'
import { Metrics, type ReportMeta } from '../records.ts'
import { m } from '../messages.ts'

/** Purchases per 100 visits. The pages compute it. */
export const CONVERSION = 'conversion'
type Metric = (typeof headline)[number]
export type Headline = Metric | typeof CONVERSION

type Figures = Readonly<Partial<Record<Metric, number | null>>>
type Compared = Pick<Static<typeof Overview>, 'metrics' | 'comparison'>

const order: readonly Headline[] = headline.flatMap((name): Headline[] => (name === 'purchases' ? [name, CONVERSION] : [name]))
const ofSales: ReadonlySet<Headline> = new Set<Headline>(['revenue', 'purchases', CONVERSION, 'average_order'])

/**
 * Without metrics that are hidden from the viewer, which are not in the answer. Without a conversion that is not a share: a filter on
 * events or goals keeps the visits that have such a hit, and counts only purchases that are one.
 */
export function headlineOf(
  { metrics, comparison }: Compared,
  { filters }: Pick<Static<typeof ReportMeta>, 'filters'>,
): readonly Headline[] {
  const isShare = !filters.some(({ narrows }) => narrows.includes('purchases')) && (metrics.purchases ?? 0) <= (metrics.visits ?? 0)
  const hasSales = [metrics, comparison?.metrics].some(each => each?.revenue || each?.purchases)
  const isThere = (name: Metric) => Object.hasOwn(metrics, name)
  return order.filter(
    name =>
      (name === CONVERSION ? isShare && isThere('purchases') && isThere('visits') : isThere(name)) && (hasSales || !ofSales.has(name)),
  )
}

/** Whether purchases cover only a part of the period, because imported totals lack them. Then there is no rate, as visits cover all days. */
export const hasPartOfSales = (
  { first_day, last_day }: Static<typeof Overview>['period'],
  { notes, imported }: Pick<Static<typeof ReportMeta>, 'notes' | 'imported'>,
): boolean =>
  notes.some(({ code }) => code === 'imported_without') &&
  imported?.from != null &&
  imported.to != null &&
  imported.from <= last_day &&
  imported.to >= first_day

/**
 * @param hasPart see {@link hasPartOfSales}
 * @returns null if it is not known, or a rate or mean of nothing
 */
export function figureOf(name: Headline, figures: Figures, hasPart = false): number | null {
  if (name !== CONVERSION) return measured(name, figures) ?? null
  if (hasPart) return null
  const { purchases, visits } = figures
  if (typeof purchases !== 'number' || typeof visits !== 'number') return null
  return visits === 0 ? null : Math.round((1_000 * purchases) / visits) / 10
}

/** Change in percent, of rates in percentage points. */
export function changeOf(
  name: Headline,
  { metrics, comparison }: Compared,
  [isPart, wasPart]: readonly [now: boolean, before: boolean],
): number | null | undefined {
  if (!comparison) return undefined
  if (name !== CONVERSION) return comparison.change[name]
  if (comparison.metrics.visits === 0) return null
  const [now, before] = [figureOf(name, metrics, isPart), figureOf(name, comparison.metrics, wasPart)]
  return now === null || before === null ? null : Math.round((now - before) * 10) / 10
}

export const unitOf = (name: Headline): Unit | undefined => (name === CONVERSION ? 'percent' : Metrics.properties[name].unit)
export const nameOf = (name: Headline, viewer: Viewer): string =>
  name === CONVERSION ? say(viewer, m.conversion) : fieldWords(name, viewer)
