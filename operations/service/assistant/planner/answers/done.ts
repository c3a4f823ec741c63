/** Goals and events: `conversion rate of Purchase`, `how many newsletter signups last month`. */
import { figure, plain, type Shown } from '../../figures.ts'
import { tableOf } from '../charts.ts'
import type { Done } from '../part.ts'
import { Unclear } from '../parts.ts'
import { type Fields, fieldsOf, rowsOf } from '../reads.ts'
import { comparisonWords, oneOf } from '../wording.ts'
import { type Answering, comparedWords, type PartAnswer, rangeInput, scopeWords, sentence } from './answering.ts'
import { capital } from './total.ts'

/** As many goals as a site may have. */
const mostRows = 1_000

const figuresOf: Readonly<Record<Done['dimension'], readonly Shown[]>> = {
  goal: ['conversions', 'visitors', 'conversion_rate'],
  event: ['events', 'visitors'],
}

export async function done(answering: Answering, { dimension, value, label }: Done): Promise<PartAnswer> {
  const { part, reads, asking } = answering
  const { currency } = asking.site
  const shown = figuresOf[dimension]
  const asked: Shown | undefined = part.metrics[0] ?? (part.isWeak ? 'visitors' : undefined)
  if (asked !== undefined && !shown.includes(asked) && !(dimension === 'event' && asked === 'conversions'))
    throw new Unclear(
      `Of the ${dimension} “${plain(label)}” I have ${shown
        .map(metric =>
          figure(metric, 2, currency)
            .replace(/[^a-z ]/g, '')
            .trim(),
        )
        .join(', ')}.`,
    )
  const { data, meta } = await reads.ask('stats_breakdown', {
    dimension,
    ...rangeInput(answering),
    limit: mostRows,
    metrics: shown,
  })
  const row = rowsOf(fieldsOf(data).rows).find(each => each.value === value || each.label === label)
  const before = fieldsOf(row?.comparison)
  const isCompared = comparisonWords(meta) !== undefined
  const of = (fields: Fields | undefined, metric: Shown): number => (typeof fields?.[metric] === 'number' ? Number(fields[metric]) : 0)
  const main: Shown = asked === undefined || asked === 'conversions' ? (dimension === 'goal' ? 'conversions' : 'events') : asked
  const compared = isCompared ? comparedWords(main, of(row, main), of(before, main), meta, currency) : undefined
  const beside = shown.filter(metric => metric !== main).map(metric => figure(metric, of(row, metric), currency))
  const text = `**${capital(figure(main, of(row, main), currency))}** of the ${oneOf(dimension)} “${plain(label)}”, ${scopeWords(answering, data)}; ${beside.join(', ')}.${compared === undefined ? '' : ` ${sentence(compared)}`}`
  return {
    text,
    chart: row ? tableOf([row], capital(oneOf(dimension)), [main, ...shown.filter(metric => metric !== main)], isCompared) : null,
  }
}
