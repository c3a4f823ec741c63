/** Goals and events: `conversion rate of Purchase`, `how many newsletter signups last month`. */
import { figure, plain, type Shown, worded } from '../../figures.ts'
import { tableOf } from '../charts.ts'
import type { Done } from '../part.ts'
import { Unclear } from '../extract.ts'
import { type Fields, fieldsOf, rowsOf } from '../reads.ts'
import { capital, comparisonWords, dimensionMessage, sentence } from '../wording.ts'
import { type Answering, comparedWords, type PartAnswer, rangeInput, scopeWords } from './answering.ts'
import { m } from '../../messages.ts'

/** As many goals as a site may have. */
const maxRows = 1_000

const figuresOf: Readonly<Record<Done['dimension'], readonly Shown[]>> = {
  goal: ['conversions', 'visitors', 'conversion_rate'],
  event: ['events', 'visitors'],
}

export async function done(answering: Answering, { dimension, value, label }: Done): Promise<PartAnswer> {
  const { part, reads, asking } = answering
  const { say } = asking
  const { currency } = asking.site
  const shown = figuresOf[dimension]
  const asked: Shown | undefined = part.metrics[0] ?? (part.isWeak ? 'visitors' : undefined)
  if (asked !== undefined && !shown.includes(asked) && !(dimension === 'event' && asked === 'conversions'))
    throw new Unclear(
      m.figures_of_thing({
        thing: dimensionMessage(dimension, 'one'),
        label: plain(label),
        figures: shown.map(metric => worded[metric].name()),
      }),
    )
  const { data, meta } = await reads.ask('stats_breakdown', {
    dimension,
    ...rangeInput(answering),
    limit: maxRows,
    metrics: shown,
  })
  const row = rowsOf(fieldsOf(data).rows).find(each => each.value === value || each.label === label)
  const before = fieldsOf(row?.comparison)
  const isCompared = comparisonWords(say, meta) !== undefined
  const of = (fields: Fields | undefined, metric: Shown): number => (typeof fields?.[metric] === 'number' ? Number(fields[metric]) : 0)
  const main: Shown = asked === undefined || asked === 'conversions' ? (dimension === 'goal' ? 'conversions' : 'events') : asked
  const compared = isCompared
    ? comparedWords(say, { metric: main, now: of(row, main), before: of(before, main), meta, currency })
    : undefined
  const beside = shown.filter(metric => metric !== main).map(metric => figure(say, { metric, value: of(row, metric), currency }))
  const parts = {
    figure: capital(figure(say, { metric: main, value: of(row, main), currency })),
    label: plain(label),
    scope: scopeWords(answering, data),
    beside: beside.join(', '),
  }
  const text = dimension === 'goal' ? say(m.of_the_goal, parts) : say(m.of_the_event, parts)
  return {
    text: compared === undefined ? text : `${text} ${sentence(compared)}`,
    chart: row ? tableOf(say, { rows: [row], dimension, metrics: [main, ...shown.filter(metric => metric !== main)], isCompared }) : null,
  }
}
