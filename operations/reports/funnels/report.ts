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
import { type FunnelReport, stepsOf } from './records.ts'
import { goalOf } from './steps.ts'

type Report = { data: Static<typeof FunnelReport>; meta: Static<typeof ReportMeta> }
type Stages = Answered<'funnel'>['now']
type Figures = Readonly<Record<string, number>>

export async function funnelReport(applied: Applied, row: Pick<FunnelRow, 'id' | 'name' | 'steps'>, engine: Engine): Promise<Report> {
  const {
    range,
    comparison,
    goals,
    site: { timezone },
    meta,
  } = applied
  const steps = stepsOf(row).map(step => goalOf(step, goals))
  const { now, compared, notes } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'funnel',
      steps: steps.map(({ goal }) => goal),
      span: spanOf(timezone, range, range),
      compared: comparison && spanOf(timezone, comparison, comparison),
    },
  })
  const figures = rowsOf(now)
  const before = compared && rowsOf(compared)
  const metrics = wholeOf(now)
  return {
    data: {
      period: periodOf(range),
      funnel: { id: row.id, name: row.name },
      metrics,
      rows: figures.map((row, i) => {
        const { value = '', label = '' } = steps[i] ?? {}
        const was = before?.[i]
        return { value, label, ...row, ...(was ? { comparison: { ...was, change: changesOf(row, was) } } : {}) }
      }),
      ...(comparison && compared
        ? {
            comparison: {
              period: periodOf(comparison),
              metrics: wholeOf(compared),
              change: changesOf(metrics, wholeOf(compared)),
            },
          }
        : {}),
    },
    meta: withNotes(meta, notes),
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

const changesOf = (now: Figures, before: Figures): Record<string, number | null> =>
  Object.fromEntries(Object.entries(now).map(([name, value]) => [name, change(value, before[name] ?? 0, unitOf(name))]))

/** Rates of a funnel are in percent. */
const unitOf = (name: string) => (name.endsWith('_rate') ? 'percent' : 'count')
