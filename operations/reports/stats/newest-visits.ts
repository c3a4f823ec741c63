/** Reads single visits, newest first, a few days at a time. */
import { dayStart, localDay } from '../../../storage/calendar/zones.ts'
import type { Engine, LoggedVisit, VisitPlace } from '../../../storage/engine/index.ts'
import { type Note as EngineNote, type Scope, type Span, ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

interface Wanted {
  readonly scope: Scope
  /** Visits that began in it. */
  readonly span: Span
  readonly site: LiveSite
  /** Null for all. */
  readonly person: number | null
  /** Only visits before this one. */
  readonly after: VisitPlace | null
  readonly limit: number
  /** Which hits of each visit; null for none. */
  readonly hits: { readonly offset: number; readonly limit: number } | null
}

export async function newestVisits(
  engine: Engine,
  { scope, span: whole, site, person, after, limit, hits }: Wanted,
): Promise<{ readonly visits: readonly LoggedVisit[]; readonly notes: readonly EngineNote[] }> {
  const visits: LoggedVisit[] = []
  const notes = new Map<string, EngineNote>()
  // While days are cut again, their numbers are not in the order of time.
  const parts = site.old_days_before === null ? partsOf(whole, { zone: site.timezone, after }) : [whole]
  for (const span of parts) {
    const asked = { report: 'visit_log', span, person, after, only: null, hits, limit: limit - visits.length } as const
    const answer = await engine.query({ ...scope, asked })
    visits.push(...answer.visits)
    for (const note of answer.notes) notes.set(JSON.stringify(note), note)
    if (visits.length >= limit) break
  }
  return { visits, notes: [...notes.values()] }
}

/** How many days before the end the parts begin: the last one, and those up to which an unfinished period may reach. */
const FIRST_DAYS = 2 + ZONE_CHANGE_DAYS

/**
 * Parts of a span from its end on, each twice as long as the one before: a list of the newest visits reads a few days, however long
 * the period is, and a list of rare visits reads no day twice.
 */
function* partsOf(span: Span, { zone, after }: { readonly zone: string; readonly after: VisitPlace | null }): Generator<Span> {
  const { from, to, fromDay, toDay } = span
  // If a zone skipped a day, a stored day may have the number of the one after.
  let last = Math.min(toDay, after === null ? toDay : localDay(zone, after.startedAt).day + 1)
  for (let length = FIRST_DAYS; last >= fromDay; length *= 2) {
    const first = Math.max(fromDay, last - length + 1)
    yield {
      ...span,
      fromDay: first,
      toDay: last,
      from: first === fromDay ? from : Math.max(from, dayStart(zone, first)),
      to: last === toDay ? to : Math.min(to, dayStart(zone, last + 1)),
    }
    last = first - 1
  }
}
