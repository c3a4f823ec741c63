/** Counts visits and hits of a day by their texts, wherever its rows are, with the counts of reports. */
import { VISITS_PER_VISITOR } from '../../../storage/hits/visit-ids.ts'
import { type ColumnsPart, type HitField, storedColumns, type VisitField } from '../../../storage/moved-days/stored-columns.ts'
import type { Store } from '../../../storage/store.ts'
import type { VisitDimension } from '../../../storage/tables/index.ts'
import type { Part, StoredPart } from './days.ts'

/** A column that has texts, by which is counted. */
export type TextColumn =
  | { readonly of: 'visit'; readonly column: VisitDimension }
  | { readonly of: 'hit'; readonly column: 'page' | 'event' }

/** The counted things: visits, views of pages, or events. */
export type Countable = 'visits' | 'views' | 'events'

const noCounts = {
  visitors: 0,
  visits: 0,
  /** Visits, views of pages, or events. */
  rows: 0,
  /** Duration of visits that are not bounces, in ms. */
  duration: 0,
  bounces: 0,
  pageviews: 0,
  scroll: 0,
  scrolled_visits: 0,
  engaged: 0,
  engaged_visits: 0,
}
export type Count = keyof typeof noCounts

export interface Group {
  /** The ids of its texts, by column. */
  readonly ids: readonly number[]
  readonly counts: Record<Count, number>
}

/** A visit or visitor is new in a group if it is not the last one there: rows come in the order of visitors and visits. */
interface Counting extends Group {
  visitor: number
  visit: number
  scrolled: number
  engaged: number
}

const fieldsOf: Readonly<Record<Countable, { readonly visits: readonly VisitField[]; readonly hits: readonly HitField[] }>> = {
  visits: { visits: ['duration', 'bounce', 'pageviews'], hits: [] },
  views: { visits: [], hits: ['at', 'event', 'scroll', 'engaged_ms'] },
  events: { visits: [], hits: ['at', 'event'] },
}
/** To find the visits and pageviews of a part of a day. */
const ofPart: readonly HitField[] = ['at', 'event']

interface CountIn {
  readonly site: number
  /** Parts of stored days. Of a visit, only the hits in them count; everything else belongs to the whole visit, as in reports. */
  readonly stored: readonly StoredPart[]
  readonly texts: readonly TextColumn[]
  readonly counted: Countable
  readonly now: number
}

export async function countTotals(store: Store, { site, stored, texts, counted, now }: CountIn): Promise<Group[]> {
  const groups = new Map<string, Counting>()
  /** Numbers of visitors and visits in all stored days, whose own ids begin again with each. */
  let [visitors, visits] = [0, 0]

  function groupOf(lists: readonly ArrayLike<number>[], v: number, h: number): Counting {
    let key = ''
    for (const [i, list] of lists.entries()) key += ` ${list[texts[i]?.of === 'visit' ? v : h] ?? 0}`
    const known = groups.get(key)
    if (known) return known
    const ids = lists.map((list, i) => list[texts[i]?.of === 'visit' ? v : h] ?? 0)
    const group = { ids, counts: { ...noCounts }, visitor: -1, visit: -1, scrolled: -1, engaged: -1 }
    groups.set(key, group)
    return group
  }

  function countRow(group: Counting, visitor: number, visit: number): void {
    const { counts } = group
    counts.rows++
    if (group.visitor !== visitor) counts.visitors++
    if (group.visit !== visit) counts.visits++
    group.visitor = visitor
    group.visit = visit
  }

  function countVisits(some: ColumnsPart, { part, visitorOf, lists }: Counted): void {
    const [durations, bounces] = [some.visit('duration'), some.visit('bounce')]
    const pageviews = part ? viewsIn(some, part) : some.visit('pageviews')
    for (let v = 0; v < some.visits; v++) {
      const views = pageviews[v] ?? 0
      if (views < 0) continue
      const group = groupOf(lists, v, 0)
      countRow(group, visitorOf[v] ?? 0, visits + v)
      if (bounces[v] === 0) group.counts.duration += durations[v] ?? 0
      else group.counts.bounces++
      group.counts.pageviews += views
    }
  }

  function countHits(some: ColumnsPart, { part, visitorOf, lists }: Counted): void {
    const [times, events, ofViews] = [some.hit('at'), some.hit('event'), counted === 'views']
    const [scroll, engaged] = ofViews ? [some.hit('scroll'), some.hit('engaged_ms')] : [none, none]
    for (let h = 0; h < some.hits; h++) {
      if ((events[h] === 0) !== ofViews || !isIn(part, times[h] ?? 0)) continue
      const v = some.visitOfHit[h] ?? 0
      const visit = visits + v
      const group = groupOf(lists, v, h)
      countRow(group, visitorOf[v] ?? 0, visit)
      const { counts } = group
      const [seen, spent] = [scroll[h] ?? 0, engaged[h] ?? 0]
      counts.scroll += seen
      counts.engaged += spent
      if (seen > 0 && group.scrolled !== visit) counts.scrolled_visits++
      if (seen > 0) group.scrolled = visit
      if (spent > 0 && group.engaged !== visit) counts.engaged_visits++
      if (spent > 0) group.engaged = visit
    }
  }

  for (const { day, part } of stored) {
    const { visits: ofVisits, hits: ofHits } = fieldsOf[counted]
    const asked = {
      visits: ['visit_id' as const, ...ofVisits, ...texts.flatMap(text => (text.of === 'visit' ? [text.column] : []))],
      hits: [...new Set([...(part ? ofPart : []), ...ofHits, ...texts.flatMap(text => (text.of === 'hit' ? [text.column] : []))])],
    }
    let before = -1
    for await (const some of storedColumns(store, { site, day }, asked, now)) {
      const ids = some.visit('visit_id')
      const visitorOf = Float64Array.from(ids, id => {
        const visitor = Math.floor(id / VISITS_PER_VISITOR)
        if (visitor !== before) visitors++
        before = visitor
        return visitors
      })
      const lists = texts.map(text => (text.of === 'visit' ? some.visit(text.column) : some.hit(text.column)))
      const count = counted === 'visits' ? countVisits : countHits
      count(some, { part, visitorOf, lists })
      visits += some.visits
    }
  }
  return [...groups.values()]
}

interface Counted {
  readonly part: Part | null
  /** A number for each visit. */
  readonly visitorOf: ArrayLike<number>
  /** For each text, its ids. */
  readonly lists: readonly ArrayLike<number>[]
}

const none: ArrayLike<number> = []
const isIn = (part: Part | null, at: number): boolean => part === null || (at >= part.from && at < part.to)

/** The pageviews of each visit in a part of a day; -1 for a visit without hits in it. */
function viewsIn(some: ColumnsPart, part: Part): Int32Array {
  const views = new Int32Array(some.visits).fill(-1)
  const [times, events] = [some.hit('at'), some.hit('event')]
  for (let h = 0; h < some.hits; h++) {
    if (!isIn(part, times[h] ?? 0)) continue
    const v = some.visitOfHit[h] ?? 0
    views[v] = Math.max(0, views[v] ?? 0) + (events[h] === 0 ? 1 : 0)
  }
  return views
}
