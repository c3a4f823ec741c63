/**
 * Answers questions by rules, without a model: words → items → parts → reads → sentences. A question with a part that is
 * not understood is not answered at all, as a condition that is left out makes a wrong figure (docs/assistant.md).
 */
import type { Answered, Asking } from '../answered.ts'
import type { ChartRecord } from '../records.ts'
import type { Answering, PartAnswer } from './answers/answering.ts'
import { done } from './answers/done.ts'
import { draft } from './answers/draft.ts'
import { live, uptime } from './answers/now.ts'
import { top } from './answers/top.ts'
import { total } from './answers/total.ts'
import { trend } from './answers/trend.ts'
import { why } from './answers/why.ts'
import { readWords, type Read } from './claim.ts'
import { rangedOf } from './compared.ts'
import { type Days, todayIn, type Today, unitAt, unitFrom } from './days.ts'
import { type Metric, reasons } from './lexicon.ts'
import { type Names, namesOf } from './names.ts'
import { continued, hasSubject, type Part } from './part.ts'
import { type Parts, partsOf, Unclear } from './extract.ts'
import { openReads, type Reads } from './reads.ts'
import { suggestionsFor } from './suggestions.ts'
import { listed } from './wording.ts'
import { folded } from './words.ts'
import { plain } from '../figures.ts'
import { calendar } from '../../../reports/stats/index.ts'
import { m } from '../messages.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

/** Questions of a conversation that a question can go on from. */
const maxEarlier = 5
/** Parts of one question that are answered. */
const maxParts = 4

export async function plan(asking: Asking): Promise<Answered> {
  const names = await namesOf(asking)
  const today = todayIn(asking.site, asking.now)
  const { say } = asking
  const reads = openReads(asking)
  try {
    const read = await readWords(asking.question, names, today)
    const parts = await understood({ read, asking, names, today })
    const answers: PartAnswer[] = []
    for (const part of parts)
      answers.push(await answerTo({ part, ranged: rangedOf(part, today), names, reads, asking, isAlone: parts.length === 1 }))
    const corrected = read.corrected.map(([written, as]) => say(m.written_as, { written: plain(written), read: as }))
    const notes = corrected.length > 0 ? [say(m.i_read, { words: listed(say, corrected, 'conjunction') })] : []
    return answered([...answers.map(({ text }) => text), ...notes].join('\n\n'), reads, answers)
  } catch (thrown) {
    if (!(thrown instanceof Unclear)) throw thrown
    return declined(say, { message: thrown.sentence, names, reads })
  }
}

interface Understood {
  readonly read: Read
  readonly asking: Asking
  readonly names: Names
  readonly today: Today
}

/** @throws Unclear */
async function understood({ read, asking, names, today }: Understood): Promise<readonly Part[]> {
  const { parts, isContinued } = partsIn(read, names)
  const [first, ...others] = parts
  const before = isContinued ? await partBefore(asking, names, today) : undefined
  const all = first && before ? [goesOn(before, first, today), ...others.map(part => continued(goesOn(before, first, today), part))] : parts
  if (all.length === 0 || !all.every(hasSubject)) throw new Unclear(m.understood_nothing())
  if (all.length > maxParts) throw new Unclear(m.most_questions({ most: maxParts }))
  return all
}

/** @throws Unclear, naming every word that is not understood */
function partsIn({ items }: Read, names: Names): Parts {
  const unknown = items.flatMap(item => (item.kind === 'unknown' ? [item] : []))
  if (unknown.length > 0) {
    const words = [...new Set(unknown.map(({ raw }) => plain(raw)))].slice(0, 8).map(word => m.word({ word }))
    const why = [
      ...new Set(unknown.flatMap(({ text }) => reasons.flatMap(([pattern, reason]) => (pattern.test(folded(text)) ? [reason] : [])))),
    ]
    throw new Unclear(why.reduce((sentence, reason) => m.with_reason({ sentence, reason }), m.unknown_words({ words })))
  }
  return partsOf(items, names)
}

/** The previous question of the conversation; undefined if it was not understood. */
async function partBefore({ earlier }: Asking, names: Names, today: Today): Promise<Part | undefined> {
  const questions = earlier.filter(({ role }) => role === 'user').slice(-maxEarlier)
  let before: Part | undefined
  for (const { content } of questions) {
    try {
      const { parts, isContinued } = partsIn(await readWords(content, names, today), names)
      const [first] = parts
      const last = parts.at(-1)
      before = isContinued && before && first ? goesOn(before, first, today) : last && hasSubject(last) ? last : undefined
    } catch (thrown) {
      if (!(thrown instanceof Unclear)) throw thrown
    }
  }
  return before
}

/** `and the week before?` moves the period; anything else that is left out is as before. */
function goesOn(before: Part, part: Part, today: Today): Part {
  const next = continued(before, part)
  const isMoved = part.against === 'before' && !part.isCompared && part.dates.length === 0 && !hasSubject(part)
  return isMoved ? { ...next, against: null, dates: [{ days: daysBefore(rangedOf(before, today).days, today), isAgainst: false }] } : next
}

function daysBefore(days: Days, today: Today): Days {
  const { unit, from, to } = days
  if (unit === undefined) return { from: from - (to - from + 1), to: from - 1 }
  if (unit === 'day') return unitAt({ unit: 'day', today, by: from - 1 - today.today })
  return unitFrom(unit, calendar.startOf({ unit, day: from, by: -1, weekStart: today.weekStart }), today)
}

const isOfGoals = (metric: Metric): boolean => metric === 'conversions' || metric === 'conversion_rate'

async function answerTo(answering: Answering): Promise<PartAnswer> {
  const { part } = answering
  if (part.isDraft) return draft(answering)
  if (part.isUptime) return uptime(answering)
  if (part.isLive) return live(answering)
  const isChange = part.direction !== undefined && part.metrics.length === 0 && part.dimensions.length === 0 && !part.done && !part.isWeak
  if (part.isWhy || (isChange && part.direction === null)) return why(withoutSubject(answering))
  const [dimension, ...others] = part.dimensions
  if (others.length > 0 && !part.isTrend) throw new Unclear(m.one_division())
  if (part.unit !== null || part.interval !== null || (part.isTrend && dimension === undefined)) {
    if (part.unit !== null && !part.isTop && !part.isWorst) throw new Unclear(m.what_of_that_time())
    return trend(answering)
  }
  const compared = part.filters.find(({ values }) => values.length > 1)
  if (compared && dimension === undefined && part.isCompared && part.dates.length < 2 && !part.dates.some(({ isAgainst }) => isAgainst)) {
    if (!part.done && part.metrics.some(isOfGoals)) throw new Unclear(m.which_goal_to_divide())
    return top(filtered(asValues(answering)), compared.dimension)
  }
  if (part.done && dimension === undefined) {
    const { done: which } = part
    const isOwn = part.metrics.every(metric => metric === 'visitors' || metric === 'conversions' || metric === 'conversion_rate')
    return isOwn ? done(answering, which) : total(filtered(answering))
  }
  if (dimension !== undefined) return top(filtered(answering), dimension)
  if (part.metrics.some(isOfGoals)) return top(answering, 'goal')
  if (part.isTop || part.isWorst) throw new Unclear(m.most_or_least_of_what())
  return total(answering)
}

/** A goal or an event as a condition of other figures. */
function filtered(answering: Answering): Answering {
  const { part } = answering
  if (!part.done) return answering
  const { dimension, value, label } = part.done
  const filter = { dimension, isNegative: false, operator: 'is' as const, values: [value], labels: [label] }
  return { ...answering, part: { ...part, done: null, filters: [...part.filters, filter] } }
}

/** `germany vs france` compares values, not times. */
const asValues = (answering: Answering): Answering => ({ ...answering, part: { ...answering.part, isCompared: false } })

/** Whatever else is said, a reason is asked for. */
function withoutSubject(answering: Answering): Answering {
  const { part } = answering
  if (part.dimensions.length > 0 || part.unit !== null || part.interval !== null) throw new Unclear(m.why_of_the_whole_site())
  return filtered(answering)
}

function answered(content: string, { queries }: Reads, answers: readonly PartAnswer[]): Answered {
  const chart = answers.reduce<ChartRecord | null>((found, answer) => found ?? answer.chart ?? null, null)
  const draft = answers.find(answer => answer.draft)?.draft ?? null
  return { content, queries, chart, goal_draft: draft, input_tokens: null, output_tokens: null }
}

function declined(say: Say, { message, names: { goals }, reads }: { message: Message; names: Names; reads: Reads }): Answered {
  const content = [say(message), '', say(m.what_i_can_answer), '', ...suggestionsFor(goals).map(each => `- ${plain(each)}`)].join('\n')
  return answered(content, { ...reads, queries: reads.queries.filter(({ status }) => status === 'error') }, [])
}
