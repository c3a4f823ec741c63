/** The report of a funnel. It queries the engine and converts the result to the form of the API. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { FunnelRow } from '../../../storage/tables/index.ts'
import {
  type Answered,
  type Applied,
  change,
  percentOf,
  periodOf,
  queryOf,
  type Engine,
  type ReportMeta,
  spanOf,
  withNotes,
} from '../stats/index.ts'
import { dimensionOf, type Dimension, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { type FunnelOptions, isOfDays, windowMs } from './options.ts'
import { type FunnelReport, stepsOf } from './records.ts'
import { goalOf } from './steps.ts'

type Report = { data: Static<typeof FunnelReport>; meta: Static<typeof ReportMeta> }
type Stages = Answered<'funnel'>['now']
type Figures = Readonly<Record<string, number>>

export async function funnelReport(
  applied: Applied,
  row: Pick<FunnelRow, 'id' | 'name' | 'steps'>,
  { order = 'any_between', window, by = '', limit = 10, times = true }: FunnelOptions,
  engine: Engine,
): Promise<Report> {
  const {
    range,
    comparison,
    goals,
    site: { timezone },
    meta,
  } = applied
  const steps = stepsOf(row).map(step => goalOf(step, goals))
  const ofPeople = isOfDays(window)
  const { now, compared, groups, notes } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'funnel',
      steps: steps.map(({ goal }) => goal),
      span: spanOf(timezone, range, range),
      compared: comparison && spanOf(timezone, comparison, comparison),
      order,
      within: window === undefined ? undefined : windowMs(window),
      ofPeople,
      isTimed: times,
      by: by === '' ? undefined : { dimension: by, limit },
    },
  })
  const dimension = dimensionOf(by)
  const figures = rowsOf(now)
  const before = compared && rowsOf(compared)
  const metrics = wholeOf(now)
  return {
    data: {
      period: periodOf(range),
      funnel: { id: row.id, name: row.name },
      metrics,
      counted: ofPeople ? 'people' : 'visits',
      rows: figures.map((row, i) => {
        const { value = '', label = '' } = steps[i] ?? {}
        const was = before?.[i]
        const took = now.times[i]
        return {
          value,
          label,
          ...row,
          time_median: took?.median ?? null,
          time_p90: took?.p90 ?? null,
          ...(was && compared ? { comparison: { ...was, change: changesOf(row, was, [basesOf(now, i), basesOf(compared, i)]) } } : {}),
        }
      }),
      ...(dimension && { by: { dimension: dimension.name, rows: groups.map(group => groupOf(group, dimension)) } }),
      ...(comparison && compared
        ? {
            comparison: {
              period: periodOf(comparison),
              metrics: wholeOf(compared),
              change: changesOf(metrics, wholeOf(compared), [basesOf(now), basesOf(compared)]),
            },
          }
        : {}),
    },
    meta: withNotes(meta, notes),
  }
}

function groupOf({ value, now, compared }: Answered<'funnel'>['groups'][number], dimension: Dimension) {
  const ofStages = (stages: Stages) => {
    const { entered, completed, conversion_rate } = wholeOf(stages)
    return { entered, completed, conversion_rate }
  }
  const metrics = ofStages(now)
  const before = compared && ofStages(compared)
  return {
    value: value === '' ? dimension.blank : value,
    label: labelOf(dimension, value),
    ...metrics,
    steps: now.steps.map(({ visitors }) => visitors),
    ...(before && compared && { comparison: { ...before, change: changesOf(metrics, before, [basesOf(now), basesOf(compared)]) } }),
  }
}

function rowsOf({ steps }: Stages) {
  const first = steps[0]?.visitors ?? 0
  return steps.map(({ visitors, visits }, i) => {
    const before = steps[i - 1]?.visitors ?? visitors
    const drop_off = before - visitors
    return {
      visitors,
      visits,
      drop_off,
      drop_off_rate: percentOf(drop_off, before),
      conversion_rate: percentOf(visitors, first),
      step_conversion_rate: percentOf(visitors, before),
    }
  })
}

function wholeOf({ all, steps }: Stages) {
  const [entered, completed] = [steps[0]?.visitors ?? 0, steps.at(-1)?.visitors ?? 0]
  return { ...all, entered, completed, conversion_rate: percentOf(completed, entered) }
}

/** The numbers that the rates of a step are parts of. @param step its place; without one, the whole funnel */
function basesOf({ steps }: Stages, step = 0): Figures {
  const [first, previous] = [steps[0], steps[step - 1] ?? steps[step]].map(each => each?.visitors ?? 0)
  return { conversion_rate: first ?? 0, drop_off_rate: previous ?? 0, step_conversion_rate: previous ?? 0 }
}

/** A rate of 0 visitors has no change. @param bases of both periods */
const changesOf = (now: Figures, before: Figures, bases: readonly Figures[]): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]) => [
      name,
      bases.some(base => base[name] === 0) ? null : change(value, before[name] ?? 0, unitOf(name)),
    ]),
  )

/** Rates of a funnel are in percent. */
const unitOf = (name: string) => (name.endsWith('_rate') ? 'percent' : 'count')
