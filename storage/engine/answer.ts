/** Answers a query over any source of days. */
import type { DayRequest, Source } from './days/source.ts'
import { recutSource } from './days/recut.ts'
import { dayNumbers, divisionsOf } from './days/spans.ts'
import { sumsNumbers } from './days/sealed-columns.ts'
import type { Answer, Query } from './query.ts'
import { type Found, prepare } from './reports/index.ts'
import type { Look, Pass } from './reports/report.ts'
import { readsOfAll } from './scan/day-counter.ts'
import { firstVisitsIn } from './scan/first-visits.ts'
import type { Workspace } from './scan/workspace.ts'
import { NEW_PERSON } from './vocabulary/derived.ts'
import type { Note } from './vocabulary/scope.ts'

interface AnswerInput {
  readonly query: Query
  readonly source: Source
  readonly workspace: Workspace
  readonly pause?: (() => void) | undefined
}

/**
 * Prepares every requested report, loads the columns that they declared, and passes each day to them once.
 * @param pause called between days, so that a long query can yield its core
 */
export async function answer({ query, source: stored, workspace, pause = () => {} }: AnswerInput): Promise<Answer> {
  const { asked, goals, calendar, zone } = query
  const source = calendar && !query.members ? recutSource(stored, calendar) : stored
  const counters = workspace.counters.take()
  const notes = new Map<string, Note>()
  const note = (one: Note) => notes.set(JSON.stringify(one), one)
  const { texts, measures } = source

  try {
    const firstVisits = names(query, NEW_PERSON) ? await firstVisitsIn(source, query.members !== undefined, pause) : null
    const known = { zone, firstVisits }
    const context = { texts, measures, goals, workspace, zeros: counters.zeros, resolved: new Map(), known, note }
    const passes: Pass<Found>[] = [] // sequential, so that notes are in the order of the reports
    for (const one of asked.report === 'several' ? asked.each : [asked]) passes.push(await prepare(query, one, context))
    await look(
      passes.flatMap(pass => pass.before ?? []),
      source,
      pause,
    )
    // Reports that scan share one pass over the days; the others read as few days as possible.
    const scanning = passes.filter(pass => pass.scans)
    await look(scanning, source, pause)
    for (const pass of passes) if (!pass.scans) await look([pass], source, pause)

    const found = passes.map(pass => pass.answer())
    const [first] = found
    if (!first || asked.report === 'several') return { report: 'several', each: found, notes: [...notes.values()] }
    return { ...first, notes: [...notes.values()] }
  } finally {
    counters.release()
  }
}

/** Whether a part of the query is this name, as a dimension is. */
const names = (part: unknown, name: string): boolean =>
  typeof part === 'object' && part !== null ? Object.values(part).some(each => names(each, name)) : part === name

/** Passes the days to the reports once. */
async function look(passes: readonly Look[], source: Source, pause: () => void): Promise<void> {
  const looking = passes.filter(pass => pass.spans.length > 0)
  const numbers = dayNumbers(looking.flatMap(pass => pass.spans))
  if (!numbers) return
  if (source.count) {
    for (const pass of looking) for (const counts of pass.elsewhere ?? []) await source.count(numbers.fromDay, numbers.toDay, counts)
  }
  for await (const days of await source.days(numbers.fromDay, numbers.toDay, requestOf(looking))) {
    for (const day of days) {
      pause()
      for (const pass of looking) {
        if (pass.reads(day) === null) continue
        const adding = pass.add(day)
        if (adding) await adding // avoids an await for most reports, as there are many days
      }
    }
  }
}

function requestOf(looking: readonly Look[]): DayRequest {
  const divides = divisionsOf(looking.flatMap(pass => pass.spans))
  const reads = readsOfAll(looking.map(pass => pass.reads))
  return {
    of: reads,
    // Hours belong to single days. If no span begins or ends between these days, all of them are read alike.
    together: ({ sums }, first, last) => !sums.has(sumsNumbers.hour) && !divides(first, last),
  }
}
