/** A person whom a site identifies itself, over several days (docs/privacy.md). */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import type { PersonDeletionRow, PersonRow } from '../../../storage/tables/index.ts'
import { traitsOf } from '../../sites/sites/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

export const ids = { person: idKind('pn_') }

export const Trait = Type.Object({
  name: Type.String({ description: 'Name of the trait.' }),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description: 'The latest value.' }),
})

const fields = {
  id: Type.String({ description: 'Prefix `pn_`.' }),
  site_id: Type.String({ description: 'The site.' }),
  user: Nullable(Type.String(), { description: 'The id that the site sends; null unless the site keeps it (`identity_names`).' }),
  traits: Type.Array(Trait, { description: 'Declared traits that were sent.' }),
  first_seen_at: DateTime({ description: 'When the site first identified the person.' }),
  last_seen_at: DateTime({ description: 'When the site last identified the person.' }),
}
export const Person = record('Person', fields, 'A person whom the site identifies.')

const Source = Type.Object({
  source: Type.String({ description: 'Where visits came from; empty for direct ones.' }),
  visits: Type.Integer({ unit: 'count', description: 'Visits from there.' }),
})
export const PersonDetail = record(
  'PersonDetail',
  {
    ...fields,
    visits: Type.Integer({ unit: 'count', description: 'Visits that belong to the person.' }),
    pageviews: Type.Integer({ unit: 'count', description: 'Pages viewed in them.' }),
    events: Type.Integer({ unit: 'count', description: 'Custom events in them.' }),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of them, in minor units of the currency of the site.' }),
    purchases: Type.Integer({ unit: 'count', description: 'Hits that brought revenue.' }),
    first_visit_at: Nullable(DateTime(), { description: 'Start of the first visit; null without visits.' }),
    last_visit_at: Nullable(DateTime(), { description: 'Start of the latest visit; null without visits.' }),
    sources: Type.Array(Source, { description: 'Sources of the visits, most frequent first; at most 20.' }),
  },
  'A person with what they did.',
)

const Step = Type.Object({
  at: DateTime({ description: 'Time of the hit.' }),
  page: Type.String({ description: 'Path of the page.' }),
  event: Nullable(Type.String(), { description: 'Name of the custom event; null for a pageview.' }),
  revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the hit.' }),
  properties: Type.Record(Type.String(), Type.String(), { description: 'Properties of the hit.' }),
})
const dimension = (description: string) => Type.String({ description: `${description}; empty if unknown.` })
export const PersonVisit = record(
  'PersonVisit',
  {
    started_at: DateTime({ description: 'Start of the visit.' }),
    duration: Type.Integer({ unit: 'ms', description: 'From the first to the last activity.' }),
    pageviews: Type.Integer({ unit: 'count', description: 'Pages viewed.' }),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the visit.' }),
    source: dimension('Source'),
    channel: dimension('Channel'),
    utm_campaign: dimension('Campaign'),
    country: dimension('Country, ISO 3166-1 code'),
    device: dimension('Kind of device'),
    browser: dimension('Browser'),
    entry_page: dimension('First page'),
    exit_page: dimension('Last page'),
    steps: Type.Array(Step, { description: 'Pageviews and custom events in order; at most the first 200.' }),
  },
  'A visit of a person, with its pages and events.',
)

export const PersonExport = record(
  'PersonExport',
  {
    person: PersonDetail,
    visits: Type.Array(PersonVisit, {
      description: 'Visits with all of their hits, newest first. A visit with more hits than a part has goes on in the next part.',
    }),
    next_cursor: Nullable(Type.String(), { description: '`cursor` of the next part; null if this is the last one.' }),
  },
  'Everything that is kept about one person.',
)

export const PersonDeletion = record(
  'PersonDeletion',
  {
    id: Type.String({ description: 'Id that the person had.' }),
    site_id: Type.String({ description: 'The site.' }),
    state: OneOf(['running', 'finished'], { description: 'Whether visits are still being deleted.' }),
    progress: Type.Integer({ unit: 'percent', description: 'Percent of the days that were searched.' }),
    visits: Type.Integer({ unit: 'count', description: 'Visits deleted so far.' }),
    hits: Type.Integer({ unit: 'count', description: 'Pageviews and events deleted so far.' }),
    requested_at: DateTime({ description: 'When the deletion was requested.' }),
    finished_at: Nullable(DateTime(), { description: 'When the last visit was deleted.' }),
  },
  'The deletion of a person.',
)

export const person = subject<'person', PersonRow>({
  name: 'person',
  table: 'persons',
  calledBy: null,
  async find(db, id) {
    const row = await db
      .selectFrom('persons')
      .innerJoin('sites', 'sites.number', 'persons.site_id')
      .selectAll('persons')
      .select(['sites.id as site', 'sites.workspace_id as workspace'])
      .where('persons.id', '=', id)
      .where('sites.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) return undefined
    const { site, workspace, ...own } = row
    return { row: own, workspaceId: workspace, siteId: site }
  },
})

type Site = Pick<LiveSite, 'id' | 'identity' | 'identity_names' | 'identity_traits'>

/** The id is shown only as long as the site keeps ids. */
export function toPerson(site: Site, { id, name, traits, first_at, last_at }: PersonRow): Static<typeof Person> {
  const stored = JSON.parse(traits) as Record<string, readonly [string | number | boolean, number]> // written by storage/hits/persons.ts
  return {
    id,
    site_id: site.id,
    user: site.identity === 'declared' && site.identity_names === 1 ? name : null,
    traits: traitsOf(site).flatMap(({ name: trait }) => {
      const [value] = Object.hasOwn(stored, trait) ? (stored[trait] ?? []) : []
      return value === undefined ? [] : [{ name: trait, value }]
    }),
    first_seen_at: iso(first_at),
    last_seen_at: iso(last_at),
  }
}

export const toPersonDeletion = (siteId: string, row: PersonDeletionRow): Static<typeof PersonDeletion> => ({
  id: row.id,
  site_id: siteId,
  state: row.finished_at === null ? 'running' : 'finished',
  progress: row.progress,
  visits: row.visits,
  hits: row.hits,
  requested_at: iso(row.requested_at),
  finished_at: iso(row.finished_at),
})
