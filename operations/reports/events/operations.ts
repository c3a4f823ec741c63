import { Type } from '@sinclair/typebox'
import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation, pagesOf, paging, pagingMeta, report } from '../../../runtime/table/operation.ts'
import { Clearable, flag, iso, Name, optional, help } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { apply, intervalInput, engine, ReportMeta, spanOf, statsInput, withNotes } from '../stats/index.ts'
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
  LONGEST,
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

const shownName = Name({ maxLength: LONGEST.name, description: 'Name it is shown under.' })
const rawName = Type.String({ minLength: 1, maxLength: LONGEST.name, description: 'Name of the event, as it is sent.' })

export const events_list = report({
  route: 'GET /sites/{site_id}/events',
  summary: 'Custom events and how often they happened',
  description:
    'Sign-ups, purchases, clicks, downloads: count, visits, conversion rate, revenue, first and last seen. Most frequent first, under the names they are shown by; hidden ones are left out. Goals: `stats_breakdown` by goal.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...statsInput,
    search: optional(
      Type.String({
        maxLength: 200,
        description: 'Only events whose name contains this, in any case.',
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
  summary: 'One event in detail: trend, properties, pages, sources',
  title: 'Event',
  place: 'aside',
  description:
    'How often it happened over time, values of up to 3 properties, sum, mean and percentiles of numeric ones, pages it ' +
    'happened on, and sources of its visits.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    name: Type.String({
      minLength: 1,
      maxLength: LONGEST.name,
      description: 'The event by the name it is shown under; by a name that is sent, only what came under that.',
    }),
    properties: Type.Array(line(LONGEST.key, 'Key of a property, or the name it is shown under.'), {
      default: [],
      maxItems: 3,
      [limitedBy]: otherProperties,
      description: 'Properties whose values are counted; at most 3.',
    }),
    interval: intervalInput,
    series: Type.Boolean({ default: true, description: 'false leaves out the points over time, for a shorter answer.' }),
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
    const { data, notes } = await eventDetail(applied, asked, await propertySettings(db, site.id), use(engine))
    return { data, meta: withNotes(applied.meta, notes, 'visitors_of_event') }
  },
})

export const events_update = operation({
  route: 'PATCH /sites/{site_id}/events/settings',
  summary: 'Rename or hide an event',
  label: 'Rename or hide',
  description:
    'Changes how reports show an event, its past included; what was stored stays. A field left out stays as it is. Filters find it by both names; goals and funnels by the one that is sent. Several as one: `events_merge`.',
  help: 'Changes how reports show an event, its past included; what was stored stays. Filters find it by both names; goals and funnels by the one that is sent. Several as one: `events_merge`.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    name: rawName,
    display_name: optional(
      Clearable(shownName, {
        description: 'Name it is shown under; empty undoes the renaming, or the merge.',
      }),
    ),
    hidden: optional(Type.Boolean({ description: 'Whether reports leave it out. Its hits are kept.' })),
    currency: optional(
      Clearable(Type.String({ format: 'currency' }), {
        description: 'ISO 4217 currency of amounts that come without one; empty for none.',
        [help]: 'Of amounts that come without one, such as EUR; empty for none.',
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
    'For an event that was sent under different spellings. Their visitors and visits count once, in the past too; `events_update` with an empty display name takes one out again. Answers the setting of the first.',
  help: 'For an event that was sent under different spellings. Their visitors and visits count once, in the past too; `events_update` with an empty display name takes one out again.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    names: Type.Array(rawName, { minItems: 1, maxItems: 100, description: 'Names of the events, as they are sent.' }),
    into: Name({ maxLength: LONGEST.name, description: 'Name they are shown under together.' }),
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
  succeeded: m.the_event_and_its_history_are,
  failed: m.the_event_could_not_be_deleted,
  pending: m.the_event_and_its_history_are_2,
}

export const events_delete = operation({
  route: 'DELETE /sites/{site_id}/events',
  summary: 'Delete an event and its history',
  label: 'Delete an event',
  description:
    'For good: reports forget it at once, its hits are deleted in the background (progress: `event_deletions_list`), and visits are repaired. Hits of the name that come later are kept. To keep the data, hide it: `events_update`.',
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
    confirmed(confirm, [name], 'the name of the event')
    return toEventDeletion(await requestDeletion(db, { store, site, name, now }))
  },
})

export const event_deletions_list = list({
  route: 'GET /sites/{site_id}/events/deletions',
  summary: 'Progress of deleted events',
  title: 'Event deletions',
  place: 'settings',
  description: 'Deletions that run and, for 90 days, those that are done; latest first.',
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
  summary: 'Properties that events carry',
  title: 'Event properties',
  place: 'settings',
  description:
    'Keys such as plan or price that came with events and pageviews in the last 30 days, most frequent first. The values of one: `stats_breakdown` by property:<key>.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    event: optional({ ...rawName, description: 'Only keys that came with this event: its name, as it is sent.' }),
  },
  of: EventProperty,
  examples: [{ input: { site_id: '{{site}}' } }, { summary: 'Of one event', input: { site_id: '{{site}}', event: 'Signup' } }],
  async run({ db, site, input, now, use, page: { offset, limit } }) {
    const { range } = await apply(db, site, now, thirtyDays)
    const { rows } = await use(engine).query({
      site: site.number,
      where: [],
      goals: [],
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
  summary: 'Rename or hide a property, or clear it for export',
  label: 'Rename or hide',
  description: 'Changes how reports show it; what was stored stays. A field left out stays as it is.',
  help: 'Changes how reports show it; what was stored stays.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    key: Type.String({ minLength: 1, maxLength: LONGEST.key, description: 'Key of the property, as it is sent.' }),
    display_name: optional(
      Clearable(shownName, {
        description: 'Name it is shown under, unique in the site; empty removes it.',
      }),
    ),
    hidden: optional(Type.Boolean({ description: 'Whether reports leave it out where they list properties.' })),
    export_safe: optional(
      Type.Boolean({
        description: 'Whether it contains no personal data, so that raw exports and the warehouse sync have it too.',
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

/** Empty becomes null; undefined stays undefined. */
const cleared = (text: string | null | undefined): string | null | undefined => (text === '' ? null : text)
