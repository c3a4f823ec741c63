/** From a query to its answer, over whatever source has the days. */
import { LRUCache } from 'lru-cache'
import type { Note, Query } from './query.ts'
import { type Found, type FoundBy, prepare, type ReportName } from './reports/index.ts'
import { companions } from './sealed-columns.ts'
import { Missing, type Wanted } from './sealed-day.ts'
import type { Source } from './source.ts'
import { coverageOf, type Cut, dayBounds } from './spans.ts'

/** What was found, and what the caller should know about how. */
export type Answered<R extends ReportName> = FoundBy<R> & { readonly notes: Note[] }
export type Answer = Found & { readonly notes: Note[] }

/**
 * Which columns a query reads is found out by running it: one that is not there ends the run, and the next one has
 * it. What was found out is remembered for queries of the same form.
 */
export async function answer(query: Query, source: Source): Promise<Answer> {
  const columns = columnsOf(query)
  for (;;) {
    const found = await run(query, source, columns)
    if (found !== 'incomplete') return found
  }
}

async function run(query: Query, source: Source, columns: Columns): Promise<Answer | 'incomplete'> {
  const notes = new Map<string, Note>()
  const note = (one: Note) => notes.set(one.code + one.message, one)
  const { texts, measures } = source
  const pass = await prepare(query, query.asked, { texts, measures, goals: query.goals, note })
  const bounds = dayBounds(pass.spans)
  if (bounds) {
    const { touches, cuts } = coverageOf(pass.spans)
    const wanted = (day: Cut) => (touches(day) ? (cuts(day) ? columns.ofParts : columns.ofDays) : null)
    for await (const days of source.days(bounds.fromDay, bounds.toDay, wanted)) {
      for (const day of days) {
        try {
          const looking = pass.add(day)
          if (looking) await looking // most look at once, and there are many days
        } catch (fault) {
          // Where a day was cut anew since it was sealed, it may have been taken for the other kind.
          const kinds = [cuts(day) ? columns.ofParts : columns.ofDays, columns.ofParts, columns.ofDays]
          if (fault instanceof Missing && kinds.some(kind => learn(kind, fault))) return 'incomplete'
          throw fault
        }
      }
    }
  }
  return { ...pass.answer(), notes: [...notes.values()] }
}

/** Takes in what was missing. @returns whether it is new */
function learn(wanted: Wanted, { parts }: Missing): boolean {
  const news = parts.filter(({ table, number }) => !wanted[table].has(number))
  for (const { table, number } of news) {
    const together = table === 'columns' ? companions.filter(some => some.includes(number)).flat() : []
    for (const one of [number, ...together]) wanted[table].add(one)
  }
  return news.length > 0
}

/** What a query reads of days as a whole, and of those of which it counts a part. */
interface Columns {
  readonly ofDays: Wanted
  readonly ofParts: Wanted
}
const nothing = (): Wanted => ({ columns: new Set(), sums: new Set() })

const known = new LRUCache<string, Columns>({ max: 1_000 })

function columnsOf({ where, goals, asked }: Query): Columns {
  const form = JSON.stringify([where, goals, asked], (name, value: unknown) => (details.has(name) ? null : value))
  const columns = known.get(form) ?? { ofDays: nothing(), ofParts: nothing() }
  known.set(form, columns)
  return columns
}
/** They say when and how much, not what is read. */
const details = new Set(['span', 'activeFrom', 'control', 'compared', 'series', 'spans', 'offset', 'limit', 'values', 'pointer'])
