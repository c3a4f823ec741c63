/** Journeys by brute force: the list of pages of each visit, cut at the start or end, and counted. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import { type Instants, lies, type Oracle, type OracleFilter, type OracleGoal } from '../oracle.ts'

const distinct = (pages: readonly string[]) => pages.filter((page, i) => page !== pages[i - 1])
const isView = ({ kind }: NewHit) => kind === 'pageview'

interface At {
  readonly mode: 'forward' | 'reverse'
  readonly path: string | null
  readonly goal: OracleGoal | null
}

/** The path of a visit, first step first; null if it has none. A goal is the step `goal`. */
function pathOf(
  hits: readonly NewHit[],
  { mode, path, goal, completes }: At & { completes: (one: NewHit, goal: OracleGoal) => boolean },
): string[] | null {
  if (mode === 'forward' && goal) {
    const start = hits.findIndex(one => completes(one, goal))
    if (start < 0) return null
    const after = hits.slice(start + 1).filter(isView)
    return ['goal', ...distinct(after.map(({ page }) => page))]
  }
  if (mode === 'forward') {
    const views = hits.filter(isView).map(({ page }) => page)
    const from = path === null ? 0 : views.indexOf(path)
    return from < 0 || views.length === 0 ? null : distinct(views.slice(from))
  }
  const end = hits.findIndex(one => (goal ? completes(one, goal) : isView(one) && one.page === path))
  if (end < 0) return null
  return [
    goal ? 'goal' : (path ?? ''),
    ...distinct(
      hits
        .slice(0, end)
        .filter(isView)
        .map(({ page }) => page),
    ).reverse(),
  ]
}

export function pathsOf(oracle: Oracle, range: Instants, filters: readonly OracleFilter[], at: At): string[][] {
  return oracle.kept(filters).flatMap(visit => {
    const within = visit.hits.filter(one => lies(range, visit, one.at))
    const found = pathOf(within, { ...at, completes: (one, goal) => oracle.completes(visit, one, goal) })
    return found ? [found] : []
  })
}
