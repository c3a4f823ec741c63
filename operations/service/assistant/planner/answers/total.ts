/** Figures of a period: `how many visitors last week`. */
import { localDay } from '../../../../../storage/calendar/zones.ts'
import { figure } from '../../figures.ts'
import { lineOf } from '../charts.ts'
import type { Metric } from '../lexicon.ts'
import { fieldsOf, numberOf, textOf } from '../reads.ts'
import { capital, datesIn, sentence } from '../wording.ts'
import { type Answering, comparedOf, comparedWords, type PartAnswer, rangeInput, scopeWords } from './answering.ts'
import { m } from '../../messages.ts'

const summary: readonly Metric[] = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration', 'revenue']

export async function total(answering: Answering): Promise<PartAnswer> {
  const { part, reads, isAlone, asking } = answering
  const { say } = asking
  const { currency } = asking.site
  const { data, meta } = await reads.ask('stats_aggregate', rangeInput(answering))
  const now = fieldsOf(fieldsOf(data).metrics)
  const before = fieldsOf(comparedOf(data).metrics)
  const isSummary = part.isOverview && part.metrics.length === 0
  const metrics = (isSummary ? summary : part.metrics.length > 0 ? part.metrics : (['visitors'] as const)).filter(
    metric => !isSummary || metric !== 'revenue' || now.revenue !== 0 || before.revenue !== 0,
  )
  const scope = scopeWords(answering, data)
  const hint = isLong(answering) && !asksForPeople(answering)
  const lines = metrics.map(metric => {
    const value = numberOf(now, metric)
    const compared = comparedWords(say, { metric, now: value, before: before[metric], meta, currency })
    const plain = figure(say, { metric, value, currency })
    return { figure: `**${capital(plain)}**${metric === 'visitors' && hint ? ` (${say(m.daily_added_up)})` : ''}`, compared }
  })
  const [first] = lines
  const text =
    lines.length === 1 && first
      ? `${first.figure}, ${scope}.${first.compared === undefined ? '' : ` ${sentence(first.compared)}`}`
      : [`${sentence(scope)}\n`, ...lines.map(line => `- ${line.figure}${line.compared === undefined ? '' : `: ${line.compared}`}`)].join(
          '\n',
        )
  const answerText = metrics.includes('visitors') && asksForPeople(answering) ? `${peopleWords(answering, now, meta)} ${text}` : text
  const isNone = part.filters.length === 0 && (now.visitors === 0 || before.visitors === 0)
  const began = isNone ? await beganWords(answering, data) : undefined
  return {
    text: began === undefined ? answerText : `${answerText}\n\n${began}`,
    chart: isAlone ? await chartOf(answering, metrics[0] ?? 'visitors') : null,
  }
}

const isLong = ({ ranged: { days } }: Answering): boolean => days.period === 'all' || days.from !== days.to

/** Whether it asks for different people over several days, which daily visitors do not show. */
function asksForPeople(answering: Answering): boolean {
  const { question } = answering.asking
  return (
    isLong(answering) && /\b(different|distinct|individual|unique)\s+(people|persons|visitors?|users?|humans)\b|\buniques\b/i.test(question)
  )
}

/** How many different people came, as far as the site identifies them. */
function peopleWords({ asking: { say } }: Answering, now: Readonly<Record<string, unknown>>, meta: unknown): string {
  const { identified } = fieldsOf(meta)
  return typeof now.people === 'number' && typeof identified === 'number'
    ? say(m.people_known, { people: now.people, percent: identified })
    : say(m.people_not_known)
}

/** Nothing was counted before the first visit, which differs from having no visitors; undefined if the range begins later. */
async function beganWords({ reads, asking }: Answering, data: unknown): Promise<string | undefined> {
  const { data: all } = await reads.ask('stats_aggregate', { period: 'all' })
  const [first, from, compared] = [all, data, comparedOf(data)].map(each => textOf(fieldsOf(fieldsOf(each).period), 'from'))
  const starts = [from, compared].map(each => Date.parse(each ?? '')).filter(at => !Number.isNaN(at))
  const began = Date.parse(first ?? '')
  if (!starts.some(at => at < began)) return undefined
  const { day } = localDay(asking.site.timezone, began)
  return asking.say(m.nothing_before, { day: datesIn(asking.say, day, day) })
}

async function chartOf(answering: Answering, metric: Metric) {
  const { days } = answering.ranged
  if (metric === 'conversions' || metric === 'conversion_rate') return null
  const { data } = await answering.reads.ask('stats_timeseries', {
    ...rangeInput(answering),
    ...(days.from === days.to && days.period !== 'all' && { interval: 'hour' }),
    metrics: [metric],
  })
  return lineOf(data, metric)
}
