/** Values of a dimension: `top 5 pages`, `revenue by country`, `which sources are growing`. */
import { figure, type Shown, shownAs, worded } from '../../figures.ts'
import { tableOf } from '../charts.ts'
import type { Part } from '../part.ts'
import { Unclear } from '../extract.ts'
import { type Fields, fieldsOf, rowsOf } from '../reads.ts'
import { capital, comparisonWords, dimensionMessage, labelWords, manyOf } from '../wording.ts'
import { type Answering, type PartAnswer, rangeInput, scopeWords } from './answering.ts'
import { m } from '../../messages.ts'
import type { Say } from '../../../../../runtime/texts/say.ts'

const usual = 10
/** Dimensions with few values are listed completely, in their order. */
const max: Readonly<Record<string, number>> = { weekday: 7, goal: 20, device: 10, channel: 20 }
const sortable: readonly Shown[] = ['visitors', 'visits', 'pageviews', 'revenue']

export async function top(answering: Answering, dimension: string): Promise<PartAnswer> {
  const { part, reads, ranged, asking } = answering
  const { say } = asking
  const { currency } = asking.site
  const metrics = metricsFor(dimension, part)
  const [metric = 'visitors'] = metrics
  const isRanked = part.direction !== undefined && part.direction !== null
  const limit = part.count ?? max[dimension] ?? usual
  const isShown = part.isCompared || part.against !== null || part.direction !== undefined
  const sort = sortFor(dimension, metric)
  if (sort === undefined && (part.isTop || part.isWorst || isRanked)) throw new Unclear(m.cannot_rank_by({ figure: worded[metric].name() }))
  const input = {
    dimension,
    ...rangeInput(answering, { isCompared: isShown }),
    limit,
    ...(sort !== undefined && { sort }),
    ...(part.isWorst && { order: 'asc' }),
    ...(isRanked && isShown && ranged.isCompared && { rank: part.direction === 'up' ? 'gain' : 'loss' }),
    metrics: metrics.includes('visitors') ? metrics : [...metrics, 'visitors'],
  }
  const { data, meta } = await reads.ask('stats_breakdown', input)
  const rows = rowsOf(fieldsOf(data).rows)
  const scope = scopeWords(answering, data)
  if (rows.length === 0) return { text: capital(noneWords(answering, { dimension, metric, scope })) }
  const compared = comparisonWords(say, meta)
  const count = typeof meta.total === 'number' ? meta.total : rows.length
  const heading = part.isHowMany
    ? say(m.counted_things, { count, things: dimensionMessage(dimension, count === 1 ? 'one' : 'many') })
    : headingOf(answering, dimension, metric)
  const against = compared !== undefined && isShown ? say(m.compared_with, { days: compared }) : ''
  const lines = rows.map(
    // Rows that are not ranked by the shown figure have no numbers.
    (row, i) =>
      `${sort === undefined ? '-' : `${i + 1}.`} ${labelWords(say, dimension, row)}: ${metrics.map(each => rowWords(say, { row, metric: each, currency })).join(', ')}`,
  )
  return {
    text: [`**${heading}**, ${scope}${against}:`, '', ...lines].join('\n'),
    chart: tableOf(say, { rows, dimension, metrics, isCompared: isShown }),
  }
}

function noneWords(
  { part, asking: { say } }: Answering,
  { dimension, metric, scope }: { dimension: string; metric: Shown; scope: string },
): string {
  const values = { things: manyOf(say, dimension), figures: say(worded[metric].name), scope }
  if (part.direction === 'up') return say(m.none_gained, values)
  if (part.direction === 'down') return say(m.none_lost, values)
  return say(m.none_counted, { things: values.things, scope })
}

function headingOf({ part, asking: { say } }: Answering, dimension: string, metric: Shown): string {
  const [things, figures] = [capital(manyOf(say, dimension)), say(worded[metric].name)]
  if (part.direction === 'up') return say(m.gained_most, { things, figures })
  if (part.direction === 'down') return say(m.lost_most, { things, figures })
  const heading = `${things} ${say(worded[metric].by)}`
  if (part.isWorst) return say(m.least_first, { heading })
  return sortFor(dimension, metric) === undefined ? say(m.in_order_of_visitors, { heading }) : heading
}

/** The figure, and its earlier value. */
function rowWords(say: Say, { row, metric, currency }: { row: Fields; metric: Shown; currency: string }): string {
  const now = row[metric]
  const before = fieldsOf(row.comparison)[metric]
  if (typeof now !== 'number') return '–'
  const shown = `**${worded[metric].format === 'count' ? figure(say, { metric, value: now, currency }) : shownAs(say, { metric, value: now, currency })}**`
  return typeof before === 'number' ? `${shown} ${say(m.before_was, { before: shownAs(say, { metric, value: before, currency }) })}` : shown
}

function metricsFor(dimension: string, { metrics: asked, filters }: Part): Shown[] {
  if (dimension === 'goal')
    return asked.includes('conversion_rate')
      ? ['conversion_rate', 'conversions']
      : asked.includes('visitors')
        ? ['visitors', 'conversions']
        : ['conversions', 'conversion_rate']
  if (dimension === 'event') return asked.length === 0 ? ['events', 'visitors'] : [...asked]
  const isOfGoal = filters.some(filter => filter.dimension === 'goal' && !filter.isNegative)
  if (!isOfGoal && (asked.includes('conversions') || asked.includes('conversion_rate')))
    throw new Unclear(m.say_which_goal({ thing: dimensionMessage(dimension, 'one') }))
  const metrics = asked.filter(metric => metric !== 'conversions')
  if (asked.includes('views_per_visit')) throw new Unclear(m.no_views_by_value())
  return metrics.length > 0 ? metrics : ['visitors']
}

/** Undefined if rows cannot be ranked by it; they are then ordered by visitors. */
function sortFor(dimension: string, metric: Shown): string | undefined {
  if (metric === 'conversions' || metric === 'events') return 'pageviews'
  if (metric === 'conversion_rate' && dimension === 'goal') return 'visitors'
  return sortable.includes(metric) ? metric : undefined
}
