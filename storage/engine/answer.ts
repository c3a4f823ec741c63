/** From a query to its answer, over whatever source has the days. */
import { type Condition, isAny, type Note, type Scope } from './vocabulary/question.ts'
import type { Pass } from './reports/report.ts'
import { type Asked, type Found, type FoundBy, prepare, type ReportName } from './reports/index.ts'
import { openLoan } from './columns/buffers.ts'
import { companions, sumsNumbers } from './days/sealed-columns.ts'
import { Missing, type Wanted } from './days/sealed-day.ts'
import type { Source, Wish } from './days/source.ts'
import { type Coverage, coverageOf, type Cut, dayBounds } from './days/spans.ts'

/** What the engine is asked: one report, or several under the same conditions, as they are at one moment. */
export interface Query extends Scope {
  readonly asked: Asked | SeveralAsked
}
export interface SeveralAsked {
  readonly report: 'several'
  readonly each: readonly Asked[]
}
export interface Several {
  readonly report: 'several'
  /** One for each that was asked, in that order. */
  readonly each: Found[]
}

/** What was found, and what the caller should know about how. */
export type Answered<R extends keyof AllFound> = AllFound[R] & { readonly notes: Note[] }
type AllFound = { readonly [R in ReportName | 'several']: R extends ReportName ? FoundBy<R> : Several }
export type Answer = (Found | Several) & { readonly notes: Note[] }

/** A report on its way. */
interface Part {
  readonly asked: Asked
  readonly reads: Reads
  found: Found | null
}

/**
 * Which columns a report reads is found out by running it: one that is not there ends the run, and the next one has
 * it. What was found out is remembered for reports of the same form.
 * @param pause is called between days: a long report can leave its core to others
 */
export async function answer(query: Query, source: Source, pause = () => {}): Promise<Answer> {
  const { asked, goals } = query
  const { lend, giveBack } = openLoan()
  const notes = new Map<string, Note>()
  const note = (one: Note) => notes.set(one.code + one.message, one)
  const { texts, measures } = source
  const context = { texts, measures, goals, note, lend }
  const parts = (asked.report === 'several' ? asked.each : [asked])
    .map((one): Part => ({ asked: one, reads: readsOf(query, one), found: null }))

  try {
    for (let left = parts; left.length > 0; left = left.filter(part => part.found === null)) {
      const ready: Looking[] = [] // in the order in which they were asked for: notes come in it
      for (const part of left) {
        const pass = await prepare(query, part.asked, context)
        ready.push({ part, pass, ...coverageOf(pass.spans) })
      }
      // Those that scan look at the days together, at what the same conditions keep; the others at as few as they can.
      const scanning = ready.filter(({ part }) => part.reads.ofDays.columns.size > 0)
      const adding = ready.filter(one => !scanning.includes(one))
      if (scanning.length > 0) await look(scanning, source, pause)
      for (const one of adding) await look([one], source, pause)
    }
  } finally {
    giveBack()
  }
  const found = parts.map(part => part.found as Found) // none is left
  const [first] = found
  if (!first || asked.report === 'several') return { report: 'several', each: found, notes: [...notes.values()] }
  return { ...first, notes: [...notes.values()] }
}

interface Looking extends Coverage {
  readonly part: Part
  readonly pass: Pass<Found>
}

/** Goes through the days once. Reports that find all they read are answered, the others know more the next time. */
async function look(all: readonly Looking[], source: Source, pause: () => void): Promise<void> {
  const looking = new Set(all)
  const bounds = dayBounds(all.flatMap(({ pass }) => pass.spans))
  if (bounds) {
    for await (const days of await source.days(bounds.fromDay, bounds.toDay, wishOf(all))) {
      for (const day of days) {
        pause()
        for (const one of looking) {
          if (!one.touches(day)) continue
          try {
            const adding = one.pass.add(day)
            if (adding) await adding // most look at once, and there are many days
          } catch (fault) {
            if (!(fault instanceof Missing) || !learn(one, day, fault)) throw fault
            looking.delete(one)
          }
        }
      }
      if (looking.size === 0) return
    }
  }
  for (const { part, pass } of looking) part.found = pass.answer()
}

/** Takes in what was missing. @returns whether it is new */
function learn({ part: { reads: { ofDays, ofParts } }, cuts }: Looking, day: Cut, { parts }: Missing): boolean {
  // Where a day was cut anew since it was sealed, it may have been taken for the other kind.
  for (const wanted of [cuts(day) ? ofParts : ofDays, ofParts, ofDays]) {
    const news = parts.filter(({ table, number }) => !wanted[table].has(number))
    for (const { table, number } of news) {
      const together = table === 'columns' ? companions.filter(some => some.includes(number)).flat() : []
      for (const one of [number, ...together]) wanted[table].add(one)
    }
    if (news.length > 0) return true
  }
  return false
}

/** What a report looks at of a day. */
const [NOTHING, WHOLE, PART] = ['0', '1', '2'] as const

function wishOf(looking: readonly Looking[]): Wish {
  const known = new Map<string, Wanted | null>() // by what each looks at of the day
  const alike = looking.every(({ part: { reads: { ofDays: { columns, sums } } } }) =>
    columns.size === 0 && !sums.has(sumsNumbers.hour)) // hours are those of a day
  return {
    of(day) {
      let looks = ''
      for (const { touches, cuts } of looking) looks += touches(day) ? (cuts(day) ? PART : WHOLE) : NOTHING
      const before = known.get(looks)
      if (before !== undefined) return before
      const wanted = union(looking.flatMap(({ part: { reads: { ofDays, ofParts } } }, i) =>
        (looks[i] === PART ? ofParts : looks[i] === WHOLE ? ofDays : [])))
      known.set(looks, wanted)
      return wanted
    },
    together: (first, last) => alike && !looking.some(({ divides }) => divides(first, last)),
  }
}

/** Null where nothing is wanted of it. */
function union(all: readonly Wanted[]): Wanted | null {
  if (all.length === 0) return null
  return { columns: new Set(all.flatMap(one => [...one.columns])), sums: new Set(all.flatMap(one => [...one.sums])) }
}

/** What a report reads of days as a whole, and of those of which it counts a part. */
interface Reads {
  readonly ofDays: Wanted
  readonly ofParts: Wanted
}
const nothing = (): Wanted => ({ columns: new Set(), sums: new Set() })

const known = new Map<string, Reads>()
const MOST_KNOWN = 1_000

function readsOf({ where, goals }: Scope, asked: Asked): Reads {
  let form = where.length > 0 ? JSON.stringify(where.map(formOf)) : ''
  for (const [name, value] of Object.entries(asked)) if (!details.has(name)) form += ` ${name} ${JSON.stringify(value)}`
  for (const { kind, property } of goals) form += ` ${kind} ${property !== null}`
  const before = known.get(form)
  if (before) return before
  const reads = { ofDays: nothing(), ofParts: nothing() }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(form, reads)
  return reads
}
/** They say when and how much, not what is read. */
const details = new Set(['span', 'activeFrom', 'control', 'compared', 'series', 'spans', 'offset', 'limit'])
const formOf = (condition: Condition): unknown =>
  (isAny(condition) ? condition.any.map(formOf) : [condition.dimension, condition.operator])
