/** Paths of visits: the top pages of each step, the links between them, and the top paths. */
import { allReads, NO_COLUMNS } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOfAll, readsOver } from '../scan/day-counter.ts'
import { bitsOfHits, goalBits, idOf, readsOfGoals } from '../scan/goals.ts'
import { goBack, goForward, journeyRead } from '../scan/journey.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { resolveAll } from '../scan/resolve.ts'
import { windowOn } from '../days/spans.ts'
import { type LinkFound, linksOf, type StepFound, stepsOf } from '../scan/steps.ts'
import { type PathFound, topPaths } from '../scan/top-paths.ts'
import { openPaths } from '../scan/paths.ts'

export interface JourneysQuestion {
  readonly report: 'journeys'
  readonly mode: 'forward' | 'reverse'
  /** The page, goal or event at which paths begin or, in reverse, end; null (forward): with any entry page. */
  readonly at: { readonly path: string } | { readonly goal: Goal } | null
  /** How many, from 2 to 10; 3 by default. */
  readonly steps?: number | undefined
  readonly span: Span
  readonly compared: Span | null
  /** Most pages of a step, and most paths. */
  readonly limit: number
}
export interface Journeys {
  readonly report: 'journeys'
  readonly steps: readonly StepFound[]
  readonly links: readonly LinkFound[]
  readonly paths: readonly PathFound[]
}

export const journeysReport: Report<JourneysQuestion, Journeys> = async ({ where }, asked, context) => {
  const { mode, at, steps: length = 3, span, compared, limit } = asked
  const { texts, note, workspace } = context
  const conditions = await resolveAll(where, context)
  const pages = await texts.of('page')
  const page = at && 'path' in at ? idOf(pages, at.path) : null
  const bits = at && 'goal' in at ? await goalBits([at.goal], [1], texts) : null
  if (page === 0 && at && 'path' in at) {
    note({ code: 'no_such_value', of: 'page', value: at.path })
  }
  const over = [span, ...(compared ? [compared] : [])].map(part => ({
    span: part,
    paths: openPaths(length, pages.length + 1, part === span),
  }))
  const reads = allReads([readsOfConditions(conditions), journeyRead, bits ? readsOfGoals(bits) : NO_COLUMNS])

  return {
    spans: page === 0 ? [] : over.map(part => part.span),
    reads: readsOfAll(over.map(part => readsOver(part.span, { whole: reads, part: reads }))),
    scans: true,
    add(day) {
      const mask = workspace.masks.of(day, conditions)
      const completed = bits && bitsOfHits(bits, day)
      const { event, page: pageOf } = day.hits
      const mark = completed
        ? (hit: number) => completed[hit] !== 0
        : page === null
          ? null
          : (hit: number) => event[hit] === 0 && pageOf[hit] === page
      for (const part of over) {
        const window = windowOn(part.span, day)
        if (window === undefined) continue
        if (mode === 'forward') goForward({ day, mask, window, mark }, completed !== null, part.paths)
        else goBack({ day, mask, window, mark }, completed !== null, part.paths)
      }
    },
    answer() {
      const [now, then] = over.map(part => part.paths)
      if (!now) throw new Error('a journey without a span')
      // The first step is only the goal, under the id that represents it.
      const nameOf = (step: number, place: number) => (step === 0 && bits ? '' : (pages[place - 1] ?? ''))
      const options = { places: pages.length + 1, nameOf, limit }
      const steps = stepsOf(now, then ?? null, options)
      return { report: 'journeys', steps: steps.found, links: linksOf(now, steps.shown), paths: topPaths(now, nameOf, limit) }
    },
  }
}
