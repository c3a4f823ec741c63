/** A channel rule assigns visits to a custom channel of the site. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { jobStates } from '../../../runtime/tasks/job.ts'
import { among, DateTime, CalendarDay, iso, Nullable, OneOf, record, type Static, Sentence } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { ChannelApplicationRow, ChannelRuleRow } from '../../../storage/tables/channel-rules.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { arrivalDimensions } from '../../../storage/hits/arrivals.ts'
import { ofSite } from '../sites/records.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'

export const ids = { channel_rule: idKind('chr_'), channel_application: idKind('cha_') }

/** Largest number of rules of a site, as in Google Analytics 4. */
export const MAX_RULES = 50
/** Largest size of all patterns of a site together, as `statesOf` counts it: rules run for every hit, between other requests. */
export const MAX_STATES = 5_000

export const operators = ['is', 'contains', 'starts_with', 'regex'] as const
export const matches = ['all', 'any'] as const

export const Condition = Type.Object(
  {
    field: OneOf(arrivalDimensions, { description: 'Field of the visit.' }),
    operator: OneOf(operators, { description: 'Comparison, case-insensitive. `regex` is RE2, and sees the first 500 characters.' }),
    value: Type.String({ minLength: 1, maxLength: 200, description: 'Value to compare with.' }),
  },
  { additionalProperties: false },
)
export type Condition = Static<typeof Condition>

export const ChannelRule = record(
  'ChannelRule',
  {
    id: Type.String({ description: 'Prefix `chr_`.' }),
    site_id: Type.String({ description: 'Site of the rule.' }),
    channel: Type.String({ description: 'Name of the channel. Several rules may have the same channel.' }),
    match: OneOf(matches, { description: 'Whether all conditions must match, or any.' }),
    conditions: Type.Array(Condition, { description: 'Conditions on a visit.' }),
    position: Type.Integer({ description: 'Position, from 1. The first rule that matches decides.' }),
    created_at: DateTime({ description: 'When the rule was created.' }),
    updated_at: DateTime({ description: 'When the rule was last changed.' }),
  },
  'A rule for a custom channel of a site, applied before the default grouping.',
)

export const channelRule = subject<'channel_rule', ChannelRuleRow>({
  name: 'channel_rule',
  calledBy: 'channel',
  table: 'channel_rules',
  find: ofSite('channel_rules'),
})

export const conditionsOf = ({ conditions }: Pick<ChannelRuleRow, 'conditions'>): Condition[] => JSON.parse(conditions)

export function toChannelRule(row: ChannelRuleRow): Static<typeof ChannelRule> {
  return {
    id: row.id,
    site_id: row.site_id,
    channel: row.channel,
    match: among(matches, row.match),
    conditions: conditionsOf(row),
    position: row.position,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export const ChannelApplication = record(
  'ChannelApplication',
  {
    id: Type.String({ description: 'Prefix `cha_`.' }),
    status: OneOf(jobStates, { description: 'State of the job.' }),
    progress: Type.Integer({ unit: 'percent', description: 'Percentage of days that are finished.' }),
    from: CalendarDay({ description: 'First day.' }),
    to: CalendarDay({ description: 'Last day.' }),
    changed: Type.Integer({ unit: 'count', description: 'Number of visits whose channel has changed.' }),
    error: Nullable(Type.Object({ code: Type.String(), message: Sentence() }), { description: 'Why it failed.' }),
    started_at: Nullable(DateTime(), { description: 'When the job began.' }),
    finished_at: Nullable(DateTime(), { description: 'When the job ended.' }),
    created_at: DateTime({ description: 'When the job was requested.' }),
  },
  'A job that assigns past visits to channels by the rules.',
)

export const channelApplication = subject<'channel_application', ChannelApplicationRow>({
  name: 'channel_application',
  calledBy: null,
  find: ofSite('channel_applications'),
  lock: (db, id) =>
    db
      .updateTable('channel_applications')
      .set(({ ref }) => ({ status: ref('status') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export function toApplication(row: ChannelApplicationRow): Static<typeof ChannelApplication> {
  const days = row.to_day - row.from_day + 1
  return {
    id: row.id,
    status: among(jobStates, row.status),
    progress: row.status === 'completed' ? 100 : Math.floor((100 * (row.next_day - row.from_day)) / days),
    from: dateOf(row.from_day),
    to: dateOf(row.to_day),
    changed: row.changed,
    error: row.error === null ? null : { code: 'internal_error', message: sentenceOf(row.error) },
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
    created_at: iso(row.created_at),
  }
}
