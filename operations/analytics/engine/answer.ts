/** From a query to its answer, over whatever source has the days. */
import { dimensionOf } from '../dimensions.ts'
import { countOver, groupingOf, together } from './breakdown.ts'
import type { Day } from './day.ts'
import type { Answer, Breakdown, BreakdownAsked, Note, Query, Span, TotalsAsked, Totals } from './query.ts'
import { isConverting, ownGoals, ownSet, positives, resolveAll, type Resolver, withoutConversions } from './resolve.ts'
import type { Source } from './source.ts'
import { dayBounds, windowOn } from './spans.ts'
import { type Counted, Tally } from './tally.ts'
import { topGroups } from './top.ts'
import { totalsOver } from './totals.ts'

export async function answer(query: Query, source: Source): Promise<Answer> {
  const notes: Note[] = []
  const resolver: Resolver = { texts: source.texts, goals: query.goals, note: note => notes.push(note) }
  const { asked } = query
  return asked.report === 'totals'
    ? totals(query, asked, source, resolver, notes)
    : breakdown(query, asked, source, resolver, notes)
}

async function totals(
  { where }: Query, { series }: TotalsAsked, source: Source, resolver: Resolver, notes: Note[],
): Promise<Totals> {
  const counting = totalsOver(series, await resolveAll(where, resolver), await countedUnder(where, source, notes))
  await eachDay(source, series.flat(), counting.add)
  return { report: 'totals', series: counting.sums(), notes }
}

async function breakdown(
  { where, goals }: Query, asked: BreakdownAsked, source: Source, resolver: Resolver, notes: Note[],
): Promise<Breakdown> {
  const { span, compared } = asked
  const dimension = dimensionOf(asked.dimension)
  if (!dimension) throw new Error(`no dimension ${asked.dimension}`)
  const { texts } = source
  const counted = await countedUnder(where, source, dimension.level === 'page' ? [] : notes)
  const byHit = dimension.level === 'page' || dimension.level === 'event' || dimension.level === 'property'
  const kept = byHit ? await ownSet(where, dimension, texts) : null
  const grouping = await groupingOf(dimension, { kept, goals: ownGoals(where, goals), counted, texts })
  if (positives(where, dimension.name).length > 0 && dimension.level !== 'visit') {
    const message = `Rows are those values of ${dimension.name} that its own filters ask for.`
    notes.push({ code: 'only_matching_hits', message })
  }

  const conditions = await resolveAll(where, resolver)
  const convertible = await resolveAll(withoutConversions(where), { ...resolver, note: () => {} })
  const converting = isConverting(dimension.name, where)
  const ofGroup = dimension.level === 'goal' ? together('all') : grouping
  const over = (part: Span) => {
    const counting = countOver(part, conditions, [grouping, together(counted)])
    const base = countOver(part, convertible, converting ? [ofGroup] : [])
    return {
      counting: [counting, base],
      rows: counting.tallies[0] ?? none,
      all: counting.tallies[1] ?? none,
      base: (group: number) => base.tallies[0]?.column('visitors')[dimension.level === 'goal' ? 0 : group] ?? 0,
    }
  }
  const now = over(span)
  const then = compared && over(compared)
  const counting = [...now.counting, ...(then ? then.counting : [])]
  await eachDay(source, compared ? [span, compared] : [span], day => { for (const part of counting) part.add(day) })

  return {
    report: 'breakdown',
    rows: topGroups(now.rows, grouping.name, asked).map(group => ({
      value: grouping.name(group),
      sums: now.rows.of(group),
      compared: then && then.rows.of(group),
      base: now.base(group),
      comparedBase: then ? then.base(group) : 0,
    })),
    all: now.all.of(0),
    comparedAll: then && then.all.of(0),
    notes,
  }
}

const none = new Tally(0)

/** With a filter on pages, bounce and duration are those of the visits that entered there. */
async function countedUnder(where: Query['where'], { texts }: Source, notes: Note[]): Promise<Counted> {
  const page = dimensionOf('page')
  const entered = page ? await ownSet(where, page, texts) : null
  if (entered === null) return 'all'
  notes.push({
    code: 'bounces_of_entries',
    message: 'bounce_rate and visit_duration count only the visits that entered on a page the filter asks for.',
  })
  return entered
}

async function eachDay(source: Source, spans: readonly Span[], add: (day: Day) => void): Promise<void> {
  const bounds = dayBounds(spans)
  if (!bounds) return
  const wanted = source.days(bounds.fromDay, bounds.toDay, cut => spans.some(span => windowOn(span, cut) !== undefined))
  for await (const day of wanted) add(day)
}
