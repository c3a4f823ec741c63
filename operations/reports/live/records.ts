/** Live visitors of a site. */
import { Type } from '@sinclair/typebox'
import { DateTime, Nullable, record } from '../../../runtime/table/schema.ts'
import { Period } from '../stats/index.ts'

const visitors = (description: string) => Type.Integer({ unit: 'count', description })

const LiveRow = record(
  'LiveRow',
  {
    value: Type.String({ description: 'The value, as filters accept it; empty if it is missing.' }),
    label: Type.String({ description: 'Display form of the value.' }),
    visitors: visitors('Number of live visitors.'),
  },
  'A value of a dimension with its live visitors.',
)

const LivePoint = record(
  'LivePoint',
  {
    at: DateTime({ description: 'Start of the minute, with the UTC offset of the site.' }),
    partial: Type.Boolean({ description: 'Whether the minute has not ended yet.' }),
    visitors: visitors('Visitors who viewed a page or triggered an event in the minute.'),
    pageviews: Type.Integer({ unit: 'count', description: 'Pageviews in the minute.' }),
  },
  'One of the last 30 minutes.',
)

const named = (what: string) => Type.String({ description: `${what}, as filters accept it; empty if it is missing.` })
const LiveHit = record(
  'LiveHit',
  {
    at: DateTime({ description: 'When it happened, with the UTC offset of the site.' }),
    event: Nullable(Type.String({ description: 'Name of the event; null for a pageview.' })),
    page: named('Page'),
    source: named('Source of the visit'),
    country: named('Country of the visit'),
    device: named('Device of the visit'),
  },
  'A pageview or an event of the last 30 minutes.',
)

export const Live = record(
  'Live',
  {
    period: Period,
    metrics: Type.Object(
      {
        visitors: visitors('Visitors who were active in the period: they viewed a page, triggered an event, or continued reading.'),
      },
      { description: 'Metrics of live visitors.' },
    ),
    pages: Type.Array(LiveRow, { description: 'Page that each visitor viewed last; the top 10.' }),
    sources: Type.Array(LiveRow, { description: 'Sources of the visitors; the top 10.' }),
    countries: Type.Array(LiveRow, { description: 'Countries of the visitors; the top 10.' }),
    series: Type.Array(LivePoint, { description: 'The last 30 minutes in order, including the current one.' }),
    latest: Type.Array(LiveHit, {
      description: 'The latest pageviews and events of the last 30 minutes, newest first, at most 15. Empty for shared links.',
    }),
  },
  'The visitors of the last 5 minutes, and each of the last 30 minutes.',
)
