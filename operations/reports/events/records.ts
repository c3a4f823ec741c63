/** Display settings of a site's events and properties. They do not change stored hits. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import type { EventDeletionRow, EventSettingRow, PropertySettingRow } from '../../../storage/tables/index.ts'

/** Longest name of an event and key of a property; collection clips them to this. */
export const MAX_LENGTH = Object.freeze({ name: 120, key: 300 })

/** One line of text. */
export const line = (maxLength: number, description: string, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description })

export const EventSetting = record(
  'EventSetting',
  {
    name: Type.String({ description: 'Name of the event, as the site sends it.' }),
    display_name: Nullable(Type.String(), {
      description: 'Display name in reports; null: its own name. Events with the same display name form one row.',
    }),
    hidden: Type.Boolean({
      description: 'Whether reports leave the event out. Its hits are kept and still count in totals.',
    }),
    currency: Nullable(Type.String(), {
      description:
        'ISO 4217 currency of amounts that come without one; null: such amounts are not taken. What is not in \
the currency of the site is kept without its revenue, and counted among the drops as `other_currency`.',
    }),
    updated_at: DateTime({ description: 'When the settings were last changed.' }),
  },
  'Display settings of an event, by its sent name.',
)

export const toEventSetting = (row: EventSettingRow): Static<typeof EventSetting> => ({
  name: row.name,
  display_name: row.display_name,
  hidden: row.hidden === 1,
  currency: row.currency,
  updated_at: iso(row.updated_at),
})

export const PropertySetting = record(
  'PropertySetting',
  {
    key: Type.String({ description: 'Key of the property, as the site sends it.' }),
    display_name: Nullable(Type.String(), { description: 'Display name in reports; null: its key.' }),
    hidden: Type.Boolean({
      description: 'Whether reports leave the property out of lists of properties. Its values are kept.',
    }),
    export_safe: Type.Boolean({
      description: 'Whether the property contains no personal data, so that raw exports and the warehouse sync include it.',
    }),
    updated_at: Nullable(DateTime(), { description: 'When the settings were last changed; null if never.' }),
  },
  'Display settings of a property, and whether it may be exported.',
)

export const EventProperty = record(
  'EventProperty',
  {
    ...PropertySetting.properties,
    events: Type.Integer({ unit: 'count', description: 'Number of hits with the property in the last 30 days.' }),
    last_seen_at: DateTime({ description: 'When the property was last seen.' }),
  },
  'A property that was seen in the last 30 days.',
)

export const toPropertySetting = (row: PropertySettingRow): Static<typeof PropertySetting> => ({
  key: row.key,
  display_name: row.display_name,
  hidden: row.hidden === 1,
  export_safe: row.export_safe === 1,
  updated_at: iso(row.updated_at),
})

export const neverSet = (key: string): Static<typeof PropertySetting> => ({
  key,
  display_name: null,
  hidden: false,
  export_safe: false,
  updated_at: null,
})

const states = ['running', 'done'] as const
export const EventDeletion = record(
  'EventDeletion',
  {
    name: Type.String({ description: 'Name of the event, as the site sent it.' }),
    state: OneOf(states, { description: 'State of the deletion: `running` until every hit of the event is deleted.' }),
    progress: Type.Integer({ unit: 'percent', description: 'Progress, in percent of the days of the site.' }),
    hits: Type.Integer({ unit: 'count', description: 'Number of hits that are deleted so far.' }),
    requested_at: DateTime({ description: 'When the deletion was requested. Later hits stay.' }),
    finished_at: Nullable(DateTime(), { description: 'When the last hit was deleted; null while the deletion runs.' }),
  },
  'The deletion of an event and its history.',
)

export const toEventDeletion = (row: Omit<EventDeletionRow, 'site_id' | 'event'>): Static<typeof EventDeletion> => ({
  name: row.name,
  state: row.finished_at === null ? 'running' : 'done',
  progress: row.finished_at === null ? row.progress : 100,
  hits: row.hits,
  requested_at: iso(row.requested_at),
  finished_at: iso(row.finished_at),
})
