/** From a query to its answer, over whatever source has the days. */
import type { Note, Query } from './query.ts'
import { type Found, type FoundBy, prepare, type ReportName } from './reports/index.ts'
import type { Source } from './source.ts'
import { dayBounds, windowOn } from './spans.ts'

/** What was found, and what the caller should know about how. */
export type Answered<R extends ReportName> = FoundBy<R> & { readonly notes: Note[] }
export type Answer = Found & { readonly notes: Note[] }

export async function answer(query: Query, source: Source): Promise<Answer> {
  const notes = new Map<string, Note>()
  const note = (one: Note) => notes.set(one.code + one.message, one)
  const pass = await prepare(query, query.asked, { texts: source.texts, goals: query.goals, note })
  const bounds = dayBounds(pass.spans)
  if (bounds) {
    const wanted = (cut: Parameters<typeof windowOn>[1]) => pass.spans.some(span => windowOn(span, cut) !== undefined)
    for await (const day of source.days(bounds.fromDay, bounds.toDay, wanted)) pass.add(day)
  }
  return { ...pass.answer(), notes: [...notes.values()] }
}
