/** A figure over time: `visitors per day`, `which day was best`. */
import { figure, plain, type Shown, worded } from '../../figures.ts'
import { lineOf } from '../charts.ts'
import { Unclear } from '../parts.ts'
import { type Fields, fieldsOf, rowsOf, textOf } from '../reads.ts'
import { oneOf, pointWords } from '../wording.ts'
import { type Answering, type PartAnswer, rangeInput, scopeWords, sentence } from './answering.ts'
import { capital } from './total.ts'

/** Hours of more days than these are nothing that anybody reads. */
const mostDaysOfHours = 7

export async function trend(answering: Answering): Promise<PartAnswer> {
  const { part, reads, ranged, asking } = answering
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
  if (metric === 'conversion_rate' || (metric === 'conversions' && !done))
    throw new Unclear('I have no conversion rates over time; ask for conversions of a goal, or for a rate of a period.')
  if (interval === 'hour' && ranged.days.to - ranged.days.from >= mostDaysOfHours)
    throw new Unclear('Ask for the hours of a week at most, such as “yesterday” or “last week”.')
  const by = done ? done.dimension : dimensions[0]
  const isShown = part.isCompared || part.against !== null
  const input = {
    ...rangeInput(answering, { isCompared: isShown }),
    ...(done && { filters: [[done.dimension, 'is', done.value], ...((rangeInput(answering).filters as unknown[] | undefined) ?? [])] }),
    ...(interval && { interval }),
    ...(by !== undefined && { by }),
    ...(done && { limit: 20 }),
    metrics: [metric],
  }
  const { data } = await reads.ask('stats_timeseries', input)
  const rows = rowsOf(fieldsOf(fieldsOf(data).by).rows)
  const own = done ? rowsOf(rows.find(row => row.value === done.value || row.label === done.label)?.series) : rowsOf(fieldsOf(data).series)
  const length = textOf(fieldsOf(data), 'interval')
  const about = `${worded[metric].many}${done ? ` of “${plain(done.label)}”` : ''} by ${length}`
  const scope = scopeWords(answering, data)
  const measured = own.filter(row => typeof row[metric] === 'number')
  const tell = (row: Fields): string =>
    `${pointWords(textOf(row, 'at'), length)} with ${figure(metric, Number(row[metric]), currency)}${row.partial === true ? ' (not over)' : ''}`
  const best = extreme(measured, metric, 1)
  const least = extreme(
    measured.filter(({ partial }) => partial !== true),
    metric,
    -1,
  )
  const said: string[] = []
  if (part.unit && best && least) said.push(`**${part.isWorst ? `Least: ${tell(least)}` : `Most: ${tell(best)}`}**`)
  else {
    if (best) said.push(`most: ${tell(best)}`)
    if (least) said.push(`least: ${tell(least)}`)
  }
  const whole = measured.filter(({ partial }) => partial !== true)
  if (part.unit === null && whole.length > 1 && isAdded(metric)) {
    const sum = whole.reduce((all, row) => all + Number(row[metric]), 0)
    said.push(`on average ${figure(metric, Math.round((10 * sum) / whole.length) / 10, currency)} a ${length}`)
  }
  const divided = !done && by !== undefined ? ` Divided by ${oneOf(by)}: ${rows.map(row => plain(textOf(row, 'label'))).join(', ')}.` : ''
  return { text: `${capital(about)}, ${scope}. ${said.map(sentence).join(' ')}${divided}`, chart: lineOf(data, metric, own) }
}

/** Whether points add up to a total: rates do not. */
const isAdded = (metric: Shown): boolean => worded[metric].format === 'count' || metric === 'revenue'

function extreme(rows: readonly Fields[], metric: string, sign: 1 | -1): Fields | undefined {
  let best: Fields | undefined
  for (const row of rows) if (!best || sign * Number(row[metric]) > sign * Number(best[metric])) best = row
  return best
}
