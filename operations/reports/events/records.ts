/** Settings for the display of a site's events and properties; stored hits are not affected. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import type { EventDeletionRow, EventSettingRow, PropertySettingRow } from '../../../storage/tables/index.ts'

/** Longest name of an event and key of a property; collection clips them to this. */
export const LONGEST = Object.freeze({ name: 120, key: 300 })

/** One line of text. */
export const line = (maxLength: number, description: string, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description })

export const EventSetting = record(
  'EventSetting',
  {
    name: Type.String({ description: 'Name of the event, as it is sent.' }),
    display_name: Nullable(Type.String(), {
      description: 'Name it is shown under in reports; null: its own. Events shown under one name are one row.',
    }),
    hidden: Type.Boolean({
      description: 'Whether reports leave it out. Its hits are kept and go on counting in totals.',
    }),
    currency: Nullable(Type.String(), {
      description:
        'ISO 4217 currency of amounts that come without one; null: such amounts are not taken. What is not in \
the currency of the site is kept without its revenue, and counted among the drops as `other_currency`.',
    }),
    updated_at: DateTime({ description: 'When it was last changed.' }),
  },
  'How an event is shown, by the name that is sent.',
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
    key: Type.String({ description: 'Key of the property, as it is sent.' }),
    display_name: Nullable(Type.String(), { description: 'Name it is shown under in reports; null: its key.' }),
    hidden: Type.Boolean({
      description: 'Whether reports leave it out where they list properties. Its values are kept.',
    }),
    export_safe: Type.Boolean({
      description: 'Whether it contains no personal data, so that raw exports and the warehouse sync have it too.',
    }),
    updated_at: Nullable(DateTime(), { description: 'When it was last changed; null where it never was.' }),
  },
  'How a property of hits is shown, and whether it may be exported.',
)

export const EventProperty = record(
  'EventProperty',
  {
    ...PropertySetting.properties,
    events: Type.Integer({ unit: 'count', description: 'Hits that carried it in the last 30 days.' }),
    last_seen_at: DateTime({ description: 'When it last came.' }),
  },
  'A property that came in the last 30 days.',
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
    name: Type.String({ description: 'Name of the event, as it was sent.' }),
    state: OneOf(states, { description: '`running` until every hit of the event is gone.' }),
    progress: Type.Integer({ unit: 'percent', description: 'How far it is, in percent of the days of the site.' }),
    hits: Type.Integer({ unit: 'count', description: 'Hits that are gone so far.' }),
    requested_at: DateTime({ description: 'When it was asked for. Hits that came later stay.' }),
    finished_at: Nullable(DateTime(), { description: 'When the last hit was gone; null while it runs.' }),
  },
  'An event and its history on their way out.',
)

export const toEventDeletion = (row: Omit<EventDeletionRow, 'site_id' | 'event'>): Static<typeof EventDeletion> => ({
  name: row.name,
  state: row.finished_at === null ? 'running' : 'done',
  progress: row.finished_at === null ? row.progress : 100,
  hits: row.hits,
  requested_at: iso(row.requested_at),
  finished_at: iso(row.finished_at),
})
