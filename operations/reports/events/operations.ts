import { Type } from '@sinclair/typebox'
import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation, pagesOf, paging, pagingMeta, report } from '../../../runtime/table/operation.ts'
import { brief, Clearable, flag, iso, Name, optional, Search, help } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { apply, intervalInput, engine, queryOf, ReportMeta, spanOf, statsInput, withNotes } from '../stats/index.ts'
import { text } from '../../sites/collection/index.ts'
import { otherProperties } from '../../sites/segments/index.ts'
import { site } from '../../sites/sites/records.ts'
import { EventDetail, EventList } from './answers.ts'
import { deletionNotes, requestDeletion } from './deletion.ts'
import {
  EventDeletion,
  EventProperty,
  EventSetting,
  line,
  MAX_LENGTH,
  neverSet,
  PropertySetting,
  toEventDeletion,
  toEventSetting,
  toPropertySetting,
} from './records.ts'
import { eventDetail, eventList } from './reports.ts'
import { propertySettings, setEvent, setProperty, shownElsewhere } from './settings.ts'
import { m } from './messages.ts'
import { operationTerm } from '../../../runtime/texts/message.ts'

const shownName = Name({ maxLength: MAX_LENGTH.name, description: 'Display name.' })
const rawName = Type.String({ minLength: 1, maxLength: MAX_LENGTH.name, description: 'Name of the event, as the site sends it.' })

export const events_list = report({
  route: 'GET /sites/{site_id}/events',
  summary: 'List custom events and how often they happened',
  description:
    'Events, for example sign-ups, purchases, clicks and downloads, with count, visits, conversion rate, revenue, first and last seen. Most frequent first, under their display names, without hidden ones. For goals, use `stats_breakdown` by goal.',
  place: 'what_they_do',
  icon: 'event',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...statsInput,
    search: optional(
      Search({
        description: 'Only events whose name contains this text, case-insensitive.',
      }),
    ),
    ...paging,
  },
  output: EventList,
  meta: Type.Object({ ...ReportMeta.properties, ...pagingMeta.properties }),
  examples: [
    { input: { site_id: '{{site}}' } },
    {
      summary: 'Those about signing up, against the month before',
      input: { site_id: '{{site}}', search: 'sign', period: '30d', compare: 'previous_period' },
    },
  ],
  async run({ site, input, db, now, use }) {
    const { page, per_page, search = '' } = input
    const applied = await apply(db, site, now, input)
    const asked = { search, offset: (page - 1) * per_page, limit: per_page }
    const { data, notes, total } = await eventList(applied, asked, use(engine))
    const deleting = await deletionNotes(db, site.id)
    return { data, meta: { ...withNotes(applied.meta, [...notes, ...deleting]), ...pagesOf(input, total) } }
  },
})

export const events_get = report({
  route: 'GET /sites/{site_id}/events/detail',
  summary: 'Get one event in detail: trend, properties, pages, sources',
  title: 'Event',
  place: 'aside',
  description:
    'The counts over time, values of up to 3 properties, sum, mean and percentiles of numeric properties, pages of ' +
    'the event, and sources of its visits.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_LENGTH.name,
      description: 'Display name of the event. With a sent name, counts only hits with that name.',
    }),
    properties: Type.Array(line(MAX_LENGTH.key, 'Key or display name of a property.'), {
      default: [],
      maxItems: 3,
      [limitedBy]: otherProperties,
      description: 'Properties whose values to count; at most 3.',
    }),
    interval: intervalInput,
    series: Type.Boolean({
      default: true,
      description: 'Whether to include the points over time; false returns a shorter response.',
      [brief]: { description: 'Points over time.' },
    }),
    ...statsInput,
  },
  output: EventDetail,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', name: 'Signup' } },
    {
      summary: 'What was bought, without points over time',
      input: { site_id: '{{site}}', name: 'Signup', properties: ['plan'], period: '7d', series: false },
    },
    {
      summary: 'By plan, week by week',
      input: { site_id: '{{site}}', name: 'Signup', properties: ['plan'], interval: 'week', period: '90d' },
    },
  ],
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, input)
    const asked = { ...input, name: text(input.name) || input.name }
    const { data, notes } = await eventDetail(applied, { ...asked, settings: await propertySettings(db, site.id), engine: use(engine) })
    return { data, meta: withNotes(applied.meta, notes, 'visitors_of_event') }
  },
})

export const events_update = operation({
  route: 'PATCH /sites/{site_id}/events/settings',
  summary: 'Rename or hide an event',
  label: 'Rename or hide',
  description:
    'Changes how reports show an event, including its past; stored hits do not change. Fields that are left out keep their value. Filters accept both names; goals and funnels need the sent name. To combine several events, use `events_merge`.',
  help: 'Changes how reports show an event, including its past; stored hits do not change. Filters accept both names; goals and funnels need the sent name. To combine several events, use `events_merge`.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    name: rawName,
    display_name: optional(
      Clearable(shownName, {
        description: 'Display name. Empty undoes the renaming or the merge.',
      }),
    ),
    hidden: optional(Type.Boolean({ description: 'Whether reports leave the event out. Its hits are kept.' })),
    currency: optional(
      Clearable(Type.String({ format: 'currency' }), {
        description: 'ISO 4217 currency of amounts without a currency. Empty: none.',
        [help]: 'Currency of amounts without a currency, for example EUR. Empty: none.',
      }),
    ),
  },
  output: EventSetting,
  examples: [
    { input: { site_id: '{{site}}', name: 'signup_v2', display_name: 'Signup' } },
    { summary: 'Hide it', input: { site_id: '{{site}}', name: 'debug', hidden: true } },
  ],
  async run({ db, site, input, now }) {
    const { name, hidden, display_name, currency } = input
    if (display_name && (await shownElsewhere(db, { site, name, shown: display_name }))) {
      fail('already_exists', m.event_name_taken({ name: display_name, merge: operationTerm('events_merge') }))
    }
    const changed = { hidden: flag(hidden), display_name: cleared(display_name), currency: cleared(currency) }
    return toEventSetting(await setEvent(db, { key: { site_id: site.id, name }, changed, now }))
  },
})

export const events_merge = operation({
  route: 'POST /sites/{site_id}/events/merge',
  summary: 'Show several events as one',
  label: 'Merge events',
  done: 'Events merged.',
  description:
    'For an event that was sent with different spellings. Counts visitors and visits of all of them once, also in the past. To remove an event from the merge, call `events_update` with an empty display name. Returns the settings of the first event.',
  help: 'For an event that was sent with different spellings. Counts visitors and visits of all of them once, also in the past. To remove an event from the merge, call `events_update` with an empty display name.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  discards: true,
  input: {
    names: Type.Array(rawName, { minItems: 1, maxItems: 100, description: 'Names of the events, as the site sends them.' }),
    into: Name({ maxLength: MAX_LENGTH.name, description: 'Display name of the merged event.' }),
  },
  output: EventSetting,
  examples: [{ input: { site_id: '{{site}}', names: ['signup', 'sign-up', 'Sign Up'], into: 'Signup' } }],
  async run({ db, site, input, now }) {
    const rows = []
    for (const name of new Set(input.names)) {
      rows.push(await setEvent(db, { key: { site_id: site.id, name }, changed: { display_name: input.into }, now }))
    }
    return toEventSetting(rows[0] ?? fail('not_found'))
  },
})

const deleted = {
  succeeded: m.deletion_done,
  failed: m.deletion_failed,
  pending: m.deletion_running,
}

export const events_delete = operation({
  route: 'DELETE /sites/{site_id}/events',
  summary: 'Delete an event and its history',
  label: 'Delete an event',
  done: 'Event deleted.',
  description:
    'Cannot be undone: reports exclude the event at once, a background task deletes its hits (progress: `event_deletions_list`), and visits are repaired. Later hits with the name are kept. To keep the data, hide the event with `events_update`.',
  access: 'sites.manage',
  on: site,
  effect: 'delete',
  input: {
    name: rawName,
    confirm: confirmInput('The name of the event'),
  },
  output: EventDeletion,
  outcome: ({ state }) => outcomeOf(state, deleted),
  examples: [{ input: { site_id: '{{site}}', name: 'debug', confirm: 'debug' } }],
  async run({ db, store, site, input: { name, confirm }, now }) {
    confirmed(confirm, [name], m.name_of_event())
    return toEventDeletion(await requestDeletion(db, { store, site, name, now }))
  },
})

export const event_deletions_list = list({
  route: 'GET /sites/{site_id}/events/deletions',
  summary: 'List deletions of events, with their progress',
  empty: {
    says: 'If an event was deleted with its history, the progress is shown here.',
    like: [['test_click', '100 %']],
  },
  title: 'Event deletions',
  place: 'tracking',
  description: 'Running deletions and, for 90 days, finished ones; latest first.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: EventDeletion,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db
      .selectFrom('event_deletions')
      .selectAll()
      .where('site_id', '=', site.id)
      .orderBy('requested_at', 'desc')
      .orderBy('event', 'desc')
    const { rows, total } = await pageOf(all, page)
    return { rows: rows.map(toEventDeletion), total }
  },
})

export const event_properties_list = list({
  route: 'GET /sites/{site_id}/events/properties',
  summary: 'List properties of events',
  empty: {
    says: 'Properties are details that your pages send with an event, for example the plan of a sign-up.',
    like: [
      ['plan', 'free · pro'],
      ['price', '9 – 190'],
    ],
  },
  title: 'Event properties',
  place: 'tracking',
  description:
    'Keys such as plan or price that events and pageviews had in the last 30 days, most frequent first. For the values of a property, use `stats_breakdown` by property:<key>.',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: {
    event: optional({ ...rawName, description: 'Only keys of this event. Use the name that the site sends.' }),
  },
  of: EventProperty,
  examples: [{ input: { site_id: '{{site}}' } }, { summary: 'Of one event', input: { site_id: '{{site}}', event: 'Signup' } }],
  async run({ db, site, input, now, use, page: { offset, limit } }) {
    const applied = await apply(db, site, now, thirtyDays)
    const { range } = applied
    const { rows } = await use(engine).query({
      ...queryOf(applied),
      asked: { report: 'properties', span: spanOf(site.timezone, range, range), event: input.event ?? null },
    })
    const settings = await propertySettings(db, site.id)
    const shown = rows.slice(offset, offset + limit).map(({ key, hits, lastAt }) => {
      const row = settings.get(key)
      return { ...(row ? toPropertySetting(row) : neverSet(key)), events: hits, last_seen_at: iso(lastAt) }
    })
    return { rows: shown, total: rows.length }
  },
})

export const event_properties_update = operation({
  route: 'PATCH /sites/{site_id}/events/properties',
  summary: 'Rename or hide a property, or allow its export',
  label: 'Rename or hide',
  description: 'Changes how reports show the property; stored hits do not change. Fields that are left out keep their value.',
  help: 'Changes how reports show the property; stored hits do not change.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    key: Type.String({ minLength: 1, maxLength: MAX_LENGTH.key, description: 'Key of the property, as the site sends it.' }),
    display_name: optional(
      Clearable(shownName, {
        description: 'Display name, unique within the site. Empty removes it.',
      }),
    ),
    hidden: optional(Type.Boolean({ description: 'Whether reports leave the property out of lists of properties.' })),
    export_safe: optional(
      Type.Boolean({
        description: 'Whether the property contains no personal data, so that raw exports and the warehouse sync include it.',
      }),
    ),
  },
  output: PropertySetting,
  examples: [
    { input: { site_id: '{{site}}', key: 'plan', display_name: 'Plan', export_safe: true } },
    { summary: 'Hide it', input: { site_id: '{{site}}', key: 'debug_id', hidden: true } },
  ],
  async run({ db, site, input, now }) {
    const { key, display_name, hidden, export_safe } = input
    const changed = { display_name: cleared(display_name), hidden: flag(hidden), export_safe: flag(export_safe) }
    return toPropertySetting(await setProperty(db, { key: { site_id: site.id, key }, changed, now }))
  },
})

const thirtyDays = { period: '30d', compare: 'none', interval: 'auto', match_weekday: false } as const

/** Converts an empty text to null, and keeps undefined. */
const cleared = (text: string | null | undefined): string | null | undefined => (text === '' ? null : text)
