/** Single visits: what an export has of them, readable. */
import { Type } from '@sinclair/typebox'
import { DateTime, Nullable, optional, record } from '../../../runtime/table/schema.ts'
import { Period } from '../stats/records.ts'

const dimension = (description: string) => Type.String({ description: `${description}; empty if unknown.` })

const fields = {
  id: Type.String({ description: 'Prefix `vis_`. Ids of different days have nothing in common.' }),
  started_at: DateTime({ description: 'Start of the visit.' }),
  person_id: Nullable(Type.String(), { description: 'The person whom the site identified in it, prefix `pn_`; null for none.' }),
  channel: dimension('Channel'),
  source: dimension('Source'),
  referrer: dimension('Referring page'),
  utm_campaign: dimension('Campaign'),
  country: dimension('Country, ISO 3166-1 code'),
  region: dimension('Region, ISO 3166-2 code'),
  city: dimension('City'),
  device: dimension('Kind of device'),
  browser: dimension('Browser'),
  os: dimension('Operating system'),
  language: dimension('Language, ISO 639 code'),
  hostname: dimension('Host of the first page'),
  entry_page: dimension('First page'),
  exit_page: dimension('Last page'),
  duration: Type.Integer({ unit: 'ms', description: 'From the first to the last activity; 0 if the visit bounced.' }),
  pageviews: Type.Integer({ unit: 'count', description: 'Pages viewed.' }),
  events: Type.Integer({ unit: 'count', description: 'Custom events.' }),
  revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the visit.' }),
  goals: Type.Array(Type.String(), { description: 'Names of the goals that were completed in it.' }),
}
export const Visit = record('Visit', fields, 'A visit, as exports have it.')

export const VisitList = record(
  'VisitList',
  {
    period: Period,
    rows: Type.Array(Visit, { description: 'Visits that began in the period, newest first.' }),
    next_cursor: Nullable(Type.String(), { description: '`cursor` of the visits before; null if there are none.' }),
  },
  'A part of the visits of a period.',
)

const Step = Type.Object({
  at: DateTime({ description: 'Time of the hit.' }),
  page: Type.String({ description: 'Path of the page.' }),
  event: Nullable(Type.String(), { description: 'Name of the custom event; null for a pageview.' }),
  revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the hit.' }),
  engaged: Type.Integer({ unit: 'ms', description: 'Time that the page was read; 0 if unknown.' }),
  scroll: Type.Integer({ unit: 'percent', description: 'How much of the page was seen; 0 if unknown.' }),
  properties: Type.Record(Type.String(), Type.String(), { description: 'Properties that are marked `export_safe`.' }),
})

export const VisitTimeline = record(
  'VisitTimeline',
  {
    ...fields,
    steps: Type.Array(Step, { description: 'Pageviews and custom events in order: `limit` of them, from page `page`.' }),
    steps_total: Type.Integer({ unit: 'count', description: 'Number of pageviews and custom events of the visit.' }),
    has_other_properties: optional(
      Type.Boolean({ description: 'Whether these steps have properties that are not marked `export_safe`, which are left out.' }),
    ),
  },
  'A visit with its pages and events.',
)
