/** A figure over time: `visitors per day`, `which day was best`. */
import type { Message, PlainMessage } from '../../../../../runtime/texts/message.ts'
import { figure, plain, type Shown, worded } from '../../figures.ts'
import { lineOf } from '../charts.ts'
import { Unclear } from '../extract.ts'
import { type Fields, fieldsOf, rowsOf, textOf } from '../reads.ts'
import { capital, labelWords, oneOf, pointWords, sentence } from '../wording.ts'
import { type Answering, type PartAnswer, rangeInput, scopeWords } from './answering.ts'
import { m } from '../../messages.ts'

/** Most days for which hours are listed; more would be unreadable. */
const maxDaysOfHours = 7

const by: Readonly<Record<string, { readonly each: PlainMessage; average(of: { readonly figure: string }): Message }>> = {
  minute: { each: m.by_minute, average: m.average_by_minute },
  hour: { each: m.by_hour, average: m.average_by_hour },
  day: { each: m.by_day, average: m.average_by_day },
  week: { each: m.by_week, average: m.average_by_week },
  month: { each: m.by_month, average: m.average_by_month },
  quarter: { each: m.by_quarter, average: m.average_by_quarter },
  year: { each: m.by_year, average: m.average_by_year },
}

export async function trend(answering: Answering): Promise<PartAnswer> {
  const { part, reads, ranged, asking } = answering
  const { say } = asking
  const { currency } = asking.site
  const { done, dimensions } = part
  const interval = part.unit ?? part.interval
  const asked = part.metrics[0] ?? 'visitors'
  const metric: Shown = done
    ? done.dimension === 'event'
      ? 'events'
      : part.metrics.length === 0 || asked === 'conversions'
        ? 'conversions'
        : asked
    : asked
  if (metric === 'conversion_rate' || (metric === 'conversions' && !done)) throw new Unclear(m.no_rates_over_time())
  if (interval === 'hour' && ranged.days.to - ranged.days.from >= maxDaysOfHours) throw new Unclear(m.hours_of_a_week())
  const dimension = done ? done.dimension : dimensions[0]
  const isShown = part.isCompared || part.against !== null
  const input = {
    ...rangeInput(answering, { isCompared: isShown }),
    ...(done && { filters: [[done.dimension, 'is', done.value], ...((rangeInput(answering).filters as unknown[] | undefined) ?? [])] }),
    ...(interval && { interval }),
    ...(dimension !== undefined && { by: dimension }),
    ...(done && { limit: 20 }),
    metrics: [metric],
  }
  const { data } = await reads.ask('stats_timeseries', input)
  const rows = rowsOf(fieldsOf(fieldsOf(data).by).rows)
  const own = done ? rowsOf(rows.find(row => row.value === done.value || row.label === done.label)?.series) : rowsOf(fieldsOf(data).series)
  const length = textOf(fieldsOf(data), 'interval')
  const figures = say(worded[metric].name)
  const about = `${done ? say(m.figures_of_label, { figures, label: plain(done.label) }) : figures} ${say(by[length]?.each ?? '')}`
  const scope = scopeWords(answering, data)
  const measured = own.filter(row => typeof row[metric] === 'number')
  const tell = (row: Fields): string => {
    const point = pointWords(say, textOf(row, 'at'), length)
    const pointText = say(m.point_with, { point, figure: figure(say, { metric, value: Number(row[metric]), currency }) })
    return row.partial === true ? `${pointText} ${say(m.not_over)}` : pointText
  }
  const mostly = (row: Fields): string => say(m.most, { point: tell(row) })
  const leastly = (row: Fields): string => say(m.least, { point: tell(row) })
  const best = extreme(measured, metric, 1)
  const min = extreme(
    measured.filter(({ partial }) => partial !== true),
    metric,
    -1,
  )
  const extremes: string[] = []
  if (part.unit && best && min) extremes.push(`**${capital(part.isWorst ? leastly(min) : mostly(best))}**`)
  else {
    if (best) extremes.push(mostly(best))
    if (min) extremes.push(leastly(min))
  }
  const whole = measured.filter(({ partial }) => partial !== true)
  if (part.unit === null && whole.length > 1 && isAdded(metric)) {
    const sum = whole.reduce((all, row) => all + Number(row[metric]), 0)
    extremes.push(say(by[length]?.average({ figure: figure(say, { metric, value: sum / whole.length, currency }) }) ?? ''))
  }
  const divided =
    !done && dimension !== undefined
      ? ` ${say(m.divided_by, { thing: oneOf(say, dimension), values: rows.map(row => labelWords(say, dimension, row)).join(', ') })}`
      : ''
  return { text: `${capital(about)}, ${scope}. ${extremes.map(sentence).join(' ')}${divided}`, chart: lineOf(data, metric, own) }
}

/** Whether points add up to a total: rates do not. */
const isAdded = (metric: Shown): boolean => worded[metric].format === 'count' || metric === 'revenue'

function extreme(rows: readonly Fields[], metric: string, sign: 1 | -1): Fields | undefined {
  let best: Fields | undefined
  for (const row of rows) if (!best || sign * Number(row[metric]) > sign * Number(best[metric])) best = row
  return best
}
