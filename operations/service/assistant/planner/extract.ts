/** The items of a question as its parts: `how many visitors last week, and where did they come from?` has two. */
import type { Item } from './claim.ts'
import type { Metric } from './lexicon.ts'
import type { Named, Names } from './names.ts'
import { continued, type Dated, type Done, type Filter, hasSubject, type Part } from './part.ts'
import { m } from '../messages.ts'
import type { Message } from '../../../../runtime/texts/message.ts'

/** Thrown where a question is not clear: what is said to the person who asked. */
export class Unclear extends Error {
  readonly sentence: Message
  constructor(sentence: Message) {
    super(String(sentence))
    this.sentence = sentence
  }
}

export interface Parts {
  readonly parts: readonly Part[]
  /** Whether it goes on from the question before. */
  readonly isContinued: boolean
}

const strong = new Set<Item['kind']>([
  'metric',
  'dimension',
  'live',
  'uptime',
  'why',
  'overview',
  'unit',
  'where',
  'trend',
  'interval',
  'draft',
])
const isStrong = (item: Item): boolean => strong.has(item.kind) && !(item.kind === 'metric' && item.isWeak)
const isSubject = (item: Item): boolean =>
  strong.has(item.kind) ||
  item.kind === 'done' ||
  (item.kind === 'value' && item.named.some(({ dimension }) => dimension === 'goal' || dimension === 'event'))

/** @throws Unclear */
export function partsOf(items: readonly Item[], names: Names): Parts {
  const parts = split(items).map(each => partOf(each, names))
  const isContinued =
    items[0]?.kind === 'and' ||
    items[0]?.kind === 'by' ||
    /^(what|how) about|^only|^same|^and/.test(openingOf(items)) ||
    !parts.some(hasSubject)
  return { parts: shared(parts), isContinued }
}

const openingOf = (items: readonly Item[]): string =>
  items
    .slice(0, 3)
    .map(({ text }) => text.toLowerCase())
    .join(' ')

/** At the end of a sentence, a comma or an `and`, where something else is asked for on each side. */
function split(items: readonly Item[]): Item[][] {
  const found: Item[][] = []
  let now: Item[] = []
  for (const [i, item] of items.entries()) {
    const isJoint = item.kind === 'and' || item.after !== ''
    const end = items.findIndex((each, at) => at > i && (each.kind === 'and' || each.after !== ''))
    const ahead = items.slice(i, end < 0 ? undefined : end)
    if (isJoint && now.some(isSubject) && ahead.some(isStrong) && !isQualifying(ahead)) {
      found.push(now)
      now = []
    }
    now.push(item)
  }
  return [...found, now].filter(each => each.length > 0)
}

/** `and the sale page`: its only subject says what a value is. */
function isQualifying(items: readonly Item[]): boolean {
  const heads = items.filter(isStrong)
  return heads.length > 0 && heads.every(item => item.kind === 'dimension' && qualified(items, items.indexOf(item)))
}

/** Whether this dimension only names the kind of the value next to it, and is not requested itself. */
function qualified(items: readonly Item[], at: number): boolean {
  const item = items[at]
  if (item?.kind !== 'dimension') return false
  const isOf = (other: Item | undefined): boolean =>
    (other?.kind === 'value' && other.named.some(({ dimension }) => dimension === item.dimension)) ||
    (other?.kind === 'path' && item.dimension === 'page')
  return isOf(besideOf(items, at, -1)) || isOf(besideOf(items, at, 1))
}

/** The next item on one side that says anything. */
function besideOf(items: readonly Item[], at: number, by: 1 | -1): Item | undefined {
  for (let i = at + by; i >= 0 && i < items.length; i += by) {
    const item = items[i]
    if (by === 1 ? item?.after : items[i + 1]?.after) return undefined
    if (item && !(item.kind === 'filler' && /^(is|are|was|were|called|named|the|a|of|about|with)$/.test(item.text))) return item
  }
  return undefined
}

/** When and of whom is said once for all parts. */
function shared(parts: readonly Part[]): Part[] {
  const back = parts.map((part, i) => {
    const later = parts.slice(i + 1).find(({ dates }) => dates.length > 0)
    if (!later || part.dates.length > 0 || part.isLive || part.isUptime) return part
    const isBare = part.filters.length === 0 && part.against === null
    return {
      ...part,
      dates: later.dates,
      ...(isBare ? { filters: later.filters, against: later.against, isCompared: part.isCompared || later.isCompared } : {}),
    }
  })
  const found: Part[] = []
  for (const part of back) {
    const before = found.at(-1)
    found.push(before && !part.isLive && !part.isUptime ? continued(before, part) : part)
  }
  return found
}

/** Figures that grow with the time they are counted in. */
const summed: ReadonlySet<Metric> = new Set(['visitors', 'visits', 'pageviews', 'revenue', 'purchases', 'conversions'])

/** @throws Unclear */
function partOf(items: readonly Item[], names: Names): Part {
  const has = (kind: Item['kind']): boolean => items.some(item => item.kind === kind)
  const metricItems = items.filter(item => item.kind === 'metric')
  const asked = [...new Set(metricItems.filter(({ isWeak }) => !isWeak).map(({ metric }) => metric))]
  const metrics: Metric[] = asked.includes('conversion_rate')
    ? ['conversion_rate']
    : asked.includes('conversions')
      ? ['conversions']
      : asked
  const isWeak = asked.length === 0 && metricItems.length > 0
  const isAverage = items.some(({ kind, text }) => kind === 'filler' && /\b(average|avg|mean)$/i.test(text))
  if (isAverage && !has('interval') && (isWeak || (metrics.length > 0 && metrics.every(metric => summed.has(metric)))))
    throw new Unclear(m.average_over_what())
  for (const [i, item] of items.entries()) {
    if (item.kind !== 'by') continue
    const next = items.slice(i + 1).find(each => each.kind !== 'filler' && each.kind !== 'top')
    const isRanked = next?.kind === 'metric' && /^by$/i.test(item.text) && has('dimension')
    if (next?.kind !== 'dimension' && next?.kind !== 'value' && !isRanked) throw new Unclear(m.followed_by_what({ text: item.text }))
  }
  const wrong = items.find(item => item.kind === 'wrong')
  if (wrong) throw new Unclear(wrong.message)
  const isGoalish =
    has('done') ||
    items.some(item => item.kind === 'value' && item.isWord) ||
    metrics.some(metric => metric === 'conversions' || metric === 'conversion_rate')
  const { filters, done, path } = conditionsOf(items, names, isGoalish)
  const dimensions = items.flatMap((item, i) => (item.kind === 'dimension' && !qualified(items, i) ? [item.dimension] : []))
  if (has('where')) dimensions.push(whereTo(items))
  else if (has('enter') || has('leave')) throw new Unclear(notUnderstood(items, 'enter', 'leave'))
  if (
    has('done') &&
    !done &&
    !dimensions.some(each => each === 'goal' || each === 'event') &&
    filters.every(({ dimension }) => dimension !== 'goal')
  )
    throw new Unclear(m.no_such_goal_or_event({ words: wordsOf(items, 'done') }))
  const versus = items.findIndex(({ kind }) => kind === 'versus')
  const isOfDates = versus >= 0 && !isBetween(items, versus)
  const dates = items.flatMap((item, i): Dated[] =>
    item.kind === 'date' ? [{ days: item.days, ...(item.since && { since: item.since }), isAgainst: isOfDates && i > versus }] : [],
  )
  const against = items.find(item => item.kind === 'against')?.against ?? null
  const isCompared = versus >= 0 || has('compare')
  const changes = items.filter(item => item.kind === 'change')
  const isMore = changes.some(({ text }) => /^(more|less|fewer)$/i.test(text))
  const values = filters.filter(({ values }) => values.length > 1)
  if (
    versus >= 0 &&
    against === null &&
    values.length === 0 &&
    !dates.some(({ isAgainst }) => isAgainst) &&
    !(dates.length > 1) &&
    metrics.length < 2
  )
    throw new Unclear(m.compare_with_what())
  if (isMore && versus < 0 && against === null) throw new Unclear(notUnderstood(items, 'change'))
  return {
    metrics,
    isWeak,
    dimensions: [...new Set(dimensions)],
    interval: items.find(item => item.kind === 'interval')?.interval ?? null,
    unit: items.find(item => item.kind === 'unit')?.interval ?? null,
    isTop: has('top'),
    isWorst: has('worst'),
    isTrend: has('trend'),
    isWhy: has('why'),
    isLive: has('live'),
    isUptime: has('uptime'),
    isOverview: has('overview'),
    isCompared,
    isDraft: has('draft'),
    direction: changes.length === 0 ? undefined : directionOf(changes.map(({ direction }) => direction)),
    count: countOf(items, dimensions.length > 0),
    isHowMany: items.some((item, i) => item.kind === 'dimension' && !qualified(items, i) && isCounted(items, i)),
    dates,
    against,
    filters,
    done,
    path,
  }
}

/** Whether both sides of a `versus` have a value of one kind, or a metric. */
function isBetween(items: readonly Item[], versus: number): boolean {
  const kindsOf = (side: readonly Item[]): Set<string> =>
    new Set(side.flatMap(item => (item.kind === 'value' ? item.named.map(({ dimension }) => dimension) : [])))
  const [before, after] = [items.slice(0, versus), items.slice(versus + 1)]
  const left = kindsOf(before)
  const metricOf = (side: readonly Item[]) => side.find(item => item.kind === 'metric' && !item.isWeak)
  const [one, other] = [metricOf(before), metricOf(after)]
  const isFigures = one?.kind === 'metric' && other?.kind === 'metric' && one.metric !== other.metric
  return isFigures || [...kindsOf(after)].some(dimension => left.has(dimension))
}

/** `how many countries`, `number of pages` */
const isCounted = (items: readonly Item[], at: number): boolean => {
  const [first, second] = [items[at - 1]?.text.toLowerCase(), items[at - 2]?.text.toLowerCase()]
  return first === 'many' || (first === 'of' && (second === 'number' || second === 'count'))
}

/** Words that have no meaning here. */
const wordsOf = (items: readonly Item[], ...kinds: readonly Item['kind'][]): Message[] =>
  items.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => m.word({ word: text }))
const notUnderstood = (items: readonly Item[], ...kinds: readonly Item['kind'][]): Message =>
  m.not_understood({ words: wordsOf(items, ...kinds) })

function directionOf(directions: readonly ('up' | 'down' | null)[]): 'up' | 'down' | null {
  const [only, ...others] = new Set(directions)
  return others.length === 0 ? (only ?? null) : null
}

function whereTo(items: readonly Item[]): string {
  if (items.some(({ kind }) => kind === 'leave')) return 'exit_page'
  if (items.some(({ kind }) => kind === 'enter')) return 'entry_page'
  if (items.some(({ kind, text }) => (kind === 'filler' || kind === 'metric') && /\b(from|come|comes|came)\b/.test(text))) return 'source'
  throw new Unclear(notUnderstood(items, 'where'))
}

/** Reads `top 5` and `5 most`. A number in any other position is a condition that the planner does not understand. */
function countOf(items: readonly Item[], isRanked: boolean): number | null {
  let count: number | null = null
  for (const [i, item] of items.entries()) {
    if (item.kind !== 'number') continue
    const [before, next] = [besideOf(items, i, -1), items[i + 1]]
    const isCount =
      before?.kind === 'top' ||
      before?.kind === 'worst' ||
      next?.kind === 'top' ||
      next?.kind === 'worst' ||
      (next?.kind === 'dimension' && before?.kind !== 'change' && before?.kind !== 'versus')
    if (!isCount || !isRanked || item.number < 1 || item.number > 100)
      throw new Unclear(m.not_understood({ words: [m.word({ word: item.text })] }))
    count = item.number
  }
  return count
}

interface Conditions {
  readonly filters: readonly Filter[]
  readonly done: Done | null
  readonly path: string | null
}

/** @throws Unclear */
function conditionsOf(items: readonly Item[], names: Names, isGoalish: boolean): Conditions {
  const filters = new Map<string, Filter>()
  let done: Done | null = null
  let path: string | null = null
  let isNegative = false
  for (const [i, item] of items.entries()) {
    if (item.kind === 'not') {
      isNegative = true
      if (!items.slice(i + 1, i + 4).some(({ kind }) => kind === 'value' || kind === 'path')) throw new Unclear(notUnderstood(items, 'not'))
    } else if (item.kind === 'path') {
      path = item.path
      if (/^(with|containing|contain)$/i.test(items[i - 1]?.text ?? '')) throw new Unclear(m.only_page_or_path())
      add(
        filters,
        pathFilter({
          path: item.path,
          isUnder: items[i - 1]?.kind === 'on',
          isNegative,
          names,
          isNew: items.some(({ kind }) => kind === 'draft'),
        }),
      )
    } else if (item.kind === 'on' && items[i + 1]?.kind !== 'path') throw new Unclear(notUnderstood([item], 'on'))
    else if (item.kind === 'value') {
      const named = chosen({ named: item.named, items, at: i, isGoalish })
      if (!isNegative && (named.dimension === 'goal' || named.dimension === 'event')) {
        // Next to the name of a goal, a word such as "conversions" means that goal.
        const isOther = items.some(
          other => other !== item && other.kind === 'value' && !other.isWord && other.named.some(each => each.dimension === 'goal'),
        )
        if (!(item.isWord && isOther)) done = both(done, named, names)
      } else {
        const values = typeof named.value === 'string' ? [named.value] : named.value
        add(filters, { dimension: named.dimension, isNegative, operator: 'is', values, labels: [named.label] })
      }
    } else if (item.kind !== 'filler' && item.kind !== 'and') isNegative = false
  }
  return { filters: [...filters.values()], done, path }
}

function add(filters: Map<string, Filter>, filter: Filter): void {
  const key = `${filter.dimension} ${filter.isNegative} ${filter.operator}`
  const known = filters.get(key)
  filters.set(key, known ? { ...known, values: [...known.values, ...filter.values], labels: [...known.labels, ...filter.labels] } : filter)
}

interface PathFilter {
  readonly path: string
  readonly isUnder: boolean
  readonly isNegative: boolean
  readonly names: Names
  readonly isNew: boolean
}

function pathFilter({ path, isUnder, isNegative, names, isNew }: PathFilter): Filter {
  const start = path.replace(/\*+$/, '')
  const isStart = isUnder || start !== path
  const pages = [...names.pages]
  const known = isStart ? pages.some(page => page.startsWith(start)) : names.pages.has(path)
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const value = isStart ? start : !known && names.pages.has(other) ? other : path
  if (!known && !names.pages.has(other) && !isNew)
    throw new Unclear((isStart ? m.no_page_below : m.no_page)({ path: path.replaceAll('`', '') }))
  return { dimension: 'page', isNegative, operator: isStart ? 'starts_with' : 'is', values: [value], labels: [value] }
}

/** Words that mark the following name as the source of a visit. */
const fromWords = /(^|\s)(from|via|through|by|come from|came from|coming from|comes from)$/

interface Chosen {
  readonly named: readonly Named[]
  readonly items: readonly Item[]
  readonly at: number
  readonly isGoalish: boolean
}

function chosen({ named, items, at, isGoalish }: Chosen): Named {
  const beside = [besideOf(items, at, -1), items[at + 1]?.after ? undefined : items[at + 1]].flatMap(item =>
    item?.kind === 'dimension' ? [item.dimension] : [],
  )
  const called = named.find(({ dimension }) => beside.includes(dimension))
  if (called) return called
  const before = items[at - 1]
  const isFrom = before !== undefined && fromWords.test(before.text.toLowerCase())
  const isDone = (each: Named) => each.dimension === 'goal' || each.dimension === 'event'
  const order = isFrom
    ? named.toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)))
    : isGoalish
      ? named.toSorted((a, b) => Number(isDone(b)) - Number(isDone(a)))
      : named
  const [first] = order
  if (!first) throw new Error('a name without meanings')
  return first
}

/** A goal, and the event that it is reached by, are one. @throws Unclear */
function both(known: Done | null, named: Named, names: Names): Done {
  const now: Done = { dimension: named.dimension === 'goal' ? 'goal' : 'event', value: String(named.value), label: named.label }
  if (!known || (known.dimension === now.dimension && known.value === now.value)) return now
  const goal = [known, now].find(({ dimension }) => dimension === 'goal')
  const event = [known, now].find(({ dimension }) => dimension === 'event')
  if (goal && event && names.goals.some(({ id, event: by }) => id === goal.value && by === event.value)) return goal
  throw new Unclear(m.one_goal_or_event({ first: known.label, second: now.label }))
}
