/** Journeys: queries the engine and converts the result to the form of the API. */
import type { Static } from '../../../runtime/table/schema.ts'
import { type Applied, periodOf, queryOf, type Report, spanOf, withNotes } from '../stats/index.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import type { JourneysQuestion, Engine, StepCount } from '../../../storage/engine/index.ts'
import { change, percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import type { JourneyQuestion } from './input.ts'
import type { Journeys } from './records.ts'

const OTHER = '(other)'

export async function journeys(
  applied: Applied,
  { mode, path = '', goal_id = '', event = '', steps: length = 3, limit }: JourneyQuestion,
  engine: Engine,
): Promise<Report<Static<typeof Journeys>>> {
  const {
    range,
    comparison,
    goals,
    site: { timezone },
    meta,
  } = applied
  const goal = event !== '' ? eventAsGoal(event) : goal_id === '' ? null : goals.find(({ id }) => id === goal_id)
  if (goal === undefined) throw new Error('a goal of the report no longer exists')
  const asked: JourneysQuestion = {
    report: 'journeys',
    mode,
    steps: length,
    limit,
    at: goal ? { goal } : path === '' ? null : { path },
    span: spanOf(timezone, range, range),
    compared: comparison && spanOf(timezone, comparison, comparison),
  }
  const { steps, links, paths, notes } = await engine.query({ ...queryOf(applied), asked })

  const visits = steps[0]?.visits ?? 0
  const visitsBefore = steps[0]?.compared?.visits ?? 0
  const counted = (now: StepCount, before: StepCount | null) => ({
    ...now,
    share: percentOf(now.visits, visits),
    ...(before
      ? {
          comparison: {
            ...before,
            share: percentOf(before.visits, visitsBefore),
            change: { visits: change(now.visits, before.visits) },
          },
        }
      : {}),
  })
  const named = steps.map(({ rows, ...step }, i) => ({
    ...step,
    rows: rows.map(({ value, ...row }) => ({ ...shown(value, i === 0 ? goal : null), ...row })),
  }))
  const labelAt = (step: number, place: number) => named[step]?.rows[place]?.label ?? ''
  return {
    data: {
      period: periodOf(range),
      mode,
      visits,
      steps: named.map(({ rows, compared, ...step }, i) => ({
        step: i + 1,
        ...counted(step, compared),
        rows: rows.map(({ kind, value, label, compared, ...row }) => ({ kind, value, label, ...counted(row, compared) })),
      })),
      links: links.map(({ step, from, to, visits }) => ({
        step: step + 1,
        from,
        to,
        from_label: labelAt(step, from),
        to_label: labelAt(step + 1, to),
        visits,
      })),
      paths: paths.map(({ pages, visits: onPath }) => ({
        ...(pages ? shownPath(mode, pages, goal) : { kind: 'other' as const, pages: [], label: OTHER }),
        visits: onPath,
        share: percentOf(onPath, visits),
      })),
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, notes, 'visits_of_journeys'),
  }
}

/** An event has no id of a goal. */
const eventAsGoal = (event: string): Goal => ({ id: '', name: event, kind: 'event', path: null, event, property: null, value: null })

/** @param goal or event of the step, unless it is a page */
function shown(page: string | null, goal: Goal | null) {
  if (goal)
    return goal.id === ''
      ? { kind: 'event' as const, value: goal.name, label: goal.name }
      : { kind: 'goal' as const, value: goal.id, label: goal.name }
  if (page === null) return { kind: 'other' as const, value: '', label: OTHER }
  return { kind: 'page' as const, value: page, label: page }
}

function shownPath(mode: JourneyQuestion['mode'], steps: readonly string[], goal: Goal | null) {
  const pages = goal ? steps.slice(1) : [...steps]
  const viewed = mode === 'forward' ? pages : pages.toReversed()
  const marked = goal ? [goal.name] : []
  return { kind: 'path' as const, pages: viewed, label: (mode === 'forward' ? [...marked, ...viewed] : [...viewed, ...marked]).join(' → ') }
}
