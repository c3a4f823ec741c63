/** Values of a dimension: `top 5 pages`, `revenue by country`, `which sources are growing`. */
import { plain, type Shown, shownAs, worded } from '../../figures.ts'
import { tableOf } from '../charts.ts'
import type { Part } from '../part.ts'
import { Unclear } from '../parts.ts'
import { type Fields, fieldsOf, rowsOf, textOf } from '../reads.ts'
import { comparisonWords, manyOf, oneOf } from '../wording.ts'
import { type Answering, type PartAnswer, rangeInput, scopeWords } from './answering.ts'
import { capital } from './total.ts'

const usual = 10
/** Values of few kinds are all told, in their order. */
const most: Readonly<Record<string, number>> = { weekday: 7, goal: 20, device: 10, channel: 20 }
const sortable: readonly Shown[] = ['visitors', 'visits', 'pageviews', 'revenue']

export async function top(answering: Answering, dimension: string): Promise<PartAnswer> {
  const { part, reads, ranged, asking } = answering
  const { currency } = asking.site
  const metrics = metricsFor(dimension, part)
  const [metric = 'visitors'] = metrics
  const isRanked = part.direction !== undefined && part.direction !== null
  const limit = part.count ?? most[dimension] ?? usual
  const isShown = part.isCompared || part.against !== null || part.direction !== undefined
  const sort = sortFor(dimension, metric)
  if (sort === undefined && (part.isTop || part.isWorst || isRanked))
    throw new Unclear(`I can rank by visitors, visits, pageviews and revenue, and not by ${worded[metric].many}.`)
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
  if (rows.length === 0)
    return {
      text: `No ${manyOf(dimension)} ${isRanked ? `${part.direction === 'up' ? 'gained' : 'lost'} ${worded[metric].many}` : 'were counted'}, ${scope}.`,
    }
  const compared = comparisonWords(meta)
  const count = typeof meta.total === 'number' ? meta.total : rows.length
  const heading = part.isHowMany
    ? `${count} ${count === 1 ? oneOf(dimension) : manyOf(dimension)}`
    : headingOf(answering, dimension, metric)
  const against = compared !== undefined && isShown ? `, compared with ${compared}` : ''
  const lines = rows.map(
    // Not ranked by what is told, they have no places.
    (row, i) =>
      `${sort === undefined ? '-' : `${i + 1}.`} ${plain(textOf(row, 'label'))}: ${metrics.map(each => told(row, each, currency)).join(', ')}`,
  )
  return {
    text: [`**${heading}**, ${scope}${against}:`, '', ...lines].join('\n'),
    chart: tableOf(rows, capital(oneOf(dimension)), metrics, isShown),
  }
}

function headingOf({ part }: Answering, dimension: string, metric: Shown): string {
  const things = `${manyOf(dimension)} by ${worded[metric].many}`
  if (part.direction === 'up') return `${capital(manyOf(dimension))} that gained most ${worded[metric].many}`
  if (part.direction === 'down') return `${capital(manyOf(dimension))} that lost most ${worded[metric].many}`
  if (part.isWorst) return `${capital(things)}, least first`
  return sortFor(dimension, metric) === undefined ? `${capital(things)} (in the order of their visitors)` : capital(things)
}

/** The figure, and what it was before. */
function told(row: Fields, metric: Shown, currency: string): string {
  const now = row[metric]
  const before = fieldsOf(row.comparison)[metric]
  if (typeof now !== 'number') return '–'
  const figure = `${shownAs(metric, now, currency)}${worded[metric].format === 'count' ? ` ${now === 1 ? worded[metric].one : worded[metric].many}` : ''}`
  return typeof before === 'number' ? `**${figure}** (before: ${shownAs(metric, before, currency)})` : `**${figure}**`
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
    throw new Unclear(`Say of which goal, such as “newsletter sign-ups by ${oneOf(dimension)}”.`)
  const metrics = asked.filter(metric => metric !== 'conversions')
  if (asked.includes('views_per_visit')) throw new Unclear('I have pageviews a visit of the whole site, and not by value.')
  return metrics.length > 0 ? metrics : ['visitors']
}

/** Undefined where rows cannot be ranked by it; they are in the order of their visitors then. */
function sortFor(dimension: string, metric: Shown): string | undefined {
  if (metric === 'conversions' || metric === 'events') return 'pageviews'
  if (metric === 'conversion_rate' && dimension === 'goal') return 'visitors'
  return sortable.includes(metric) ? metric : undefined
}
