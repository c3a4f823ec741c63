import { cluster } from '../../../runtime/settings/cluster.ts'
import { Type } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { CalendarDay, Name, OneOf, optional, record, Sentence } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { statesOf } from '../../../storage/engine/vocabulary/operators.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import { dayOf, localDay } from '../../../storage/calendar/zones.ts'
import { type LiveSite, site } from '../sites/records.ts'
import {
  ChannelApplication,
  channelApplication,
  channelRule,
  ChannelRule,
  Condition,
  conditionsOf,
  ids,
  matches,
  MAX_RULES,
  MAX_STATES,
  toApplication,
  toChannelRule,
} from './records.ts'
import { channelsChanged, readChannels } from './site-channels.ts'
import { channelSentence, m } from './messages.ts'
import { fieldTerm, valueTerm } from '../../../runtime/texts/message.ts'
import { patternMessage, patternsTooLarge } from './pattern-fault.ts'

/** Largest number of groups of visits in a preview. */
const MAX_GROUPS = 50_000

const inputs = {
  channel: Name({
    maxLength: 60,
    description: 'Name of the channel. With the name of a default channel, visits are added to that channel.',
  }),
  match: OneOf(matches, { description: 'Whether all conditions must match, or any.' }),
  conditions: Type.Array(Condition, {
    minItems: 1,
    maxItems: 10,
    description: 'Conditions on a visit, for example `{"field": "utm_source", "operator": "is", "value": "partner"}`.',
    [checkedBy]: given => patternFaults(given),
  }),
  position: Type.Integer({
    minimum: 1,
    maximum: MAX_RULES,
    description: 'Position among the rules, from 1. The first rule that matches decides.',
  }),
}
const days = {
  from: CalendarDay({ description: 'First day.' }),
  to: CalendarDay({ description: 'Last day.' }),
}

export const channel_rules_list = list({
  route: 'GET /sites/{site_id}/channel_rules',
  summary: 'List the channel rules of a site',
  empty: {
    says: 'A rule gives visits a channel of your own, for example “Partners” for certain sources.',
    like: [
      ['partner-*.example', 'Partners'],
      ['utm_medium = podcast', 'Podcast'],
    ],
  },
  title: 'Channel rules',
  place: 'channels',
  description:
    'The rules in their order. The first rule that matches determines the custom channel of a visit; otherwise, the default grouping does.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: ChannelRule,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('channel_rules').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('position').orderBy('id'), page)
    return { rows: rows.map(toChannelRule), total }
  },
})

export const channel_rules_create = operation({
  route: 'POST /sites/{site_id}/channel_rules',
  summary: 'Create a custom channel for a site',
  description: 'Applies to new visits, as the dimension `custom_channel`. For past visits, use `channel_rules_apply`.',
  access: 'sites.manage',
  on: locked(site),
  effect: 'create',
  input: {
    channel: inputs.channel,
    match: { ...inputs.match, default: 'all' },
    conditions: inputs.conditions,
    position: optional({ ...inputs.position, description: `${inputs.position.description} Defaults to the last.` }),
  },
  output: ChannelRule,
  examples: [
    {
      input: {
        site_id: '{{site}}',
        channel: 'Partners',
        match: 'any',
        conditions: [
          { field: 'utm_source', operator: 'is', value: 'partner' },
          { field: 'referrer', operator: 'starts_with', value: 'partner.example' },
        ],
      },
    },
  ],
  async run({ db, site, input, now, newId }) {
    failWith(patternFaults(input.conditions, await statesOfOthers(db, site)))
    const order = await orderOf(db, site)
    if (order.length >= MAX_RULES) fail('limit_reached', m.too_many({ most: MAX_RULES }))
    const id = newId(ids.channel_rule)
    const place = Math.min(input.position ?? order.length + 1, order.length + 1)
    const row = {
      id,
      site_id: site.id,
      channel: input.channel,
      match: input.match,
      conditions: JSON.stringify(input.conditions),
      position: place,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('channel_rules').values(row).execute()
    await renumber(db, order.toSpliced(place - 1, 0, id))
    await channelsChanged(db, site.id, now)
    return toChannelRule(row)
  },
})

export const channel_rules_get = operation({
  route: 'GET /sites/{site_id}/channel_rules/{id}',
  summary: 'Get a channel rule',
  access: 'analytics.read',
  on: [site, channelRule],
  effect: 'read',
  input: {},
  output: ChannelRule,
  examples: [{ input: { site_id: '{{site}}', id: '{{channel_rule}}' } }],
  run: ({ channel_rule: row }) => toChannelRule(row),
})

export const channel_rules_update = operation({
  route: 'PATCH /sites/{site_id}/channel_rules/{id}',
  summary: 'Change a channel rule',
  access: 'sites.manage',
  on: [locked(site), channelRule],
  effect: 'update',
  input: {
    channel: optional(inputs.channel),
    match: optional(inputs.match),
    conditions: optional(inputs.conditions),
    position: optional(inputs.position),
  },
  output: ChannelRule,
  examples: [{ input: { site_id: '{{site}}', id: '{{channel_rule}}', channel: 'Resellers' } }],
  async run({ db, site, channel_rule: rule, input, now }) {
    const { id } = rule
    if (input.conditions) {
      // A site may be beyond the limit already: its rules can be made smaller one by one.
      const grows = statesIn(input.conditions) > statesIn(conditionsOf(rule))
      failWith(patternFaults(input.conditions, grows ? await statesOfOthers(db, site, id) : 0))
    }
    const order = await orderOf(db, site)
    if (input.position !== undefined) {
      const others = order.filter(each => each !== id)
      await renumber(db, others.toSpliced(Math.min(input.position, order.length) - 1, 0, id))
    }
    const row = await db
      .updateTable('channel_rules')
      .set({
        channel: input.channel,
        match: input.match,
        conditions: input.conditions && JSON.stringify(input.conditions),
        updated_at: now,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) fail('not_found')
    await channelsChanged(db, site.id, now)
    return toChannelRule(row)
  },
})

export const channel_rules_delete = operation({
  route: 'DELETE /sites/{site_id}/channel_rules/{id}',
  summary: 'Delete a channel rule',
  access: 'sites.manage',
  on: [locked(site), channelRule],
  effect: 'delete',
  input: {},
  output: ChannelRule,
  examples: [{ input: { site_id: '{{site}}', id: '{{channel_rule}}' } }],
  async run({ db, site, channel_rule: { id }, now }) {
    const deleted = await db.deleteFrom('channel_rules').where('id', '=', id).returningAll().executeTakeFirst()
    if (!deleted) fail('not_found')
    await renumber(db, await orderOf(db, site))
    await channelsChanged(db, site.id, now)
    return toChannelRule(deleted)
  },
})

const Order = record(
  'ChannelRuleOrder',
  { ids: Type.Array(Type.String(), { description: 'Ids of the rules, first to last.' }) },
  'The order of channel rules.',
)

export const channel_rules_reorder = operation({
  route: 'POST /sites/{site_id}/channel_rules/order',
  summary: 'Reorder the channel rules',
  label: 'Reorder',
  done: 'Channel rules reordered.',
  access: 'sites.manage',
  on: locked(site),
  effect: 'update',
  discards: true,
  input: {
    ids: Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_RULES, description: 'Ids of all rules of the site, first to last.' }),
  },
  output: Order,
  examples: [{ input: { site_id: '{{site}}', ids: ['{{channel_rule}}'] } }],
  async run({ db, site, input, now }) {
    const order = await orderOf(db, site)
    const faults = input.ids.flatMap((id, i): Fault[] =>
      order.includes(id) ? [] : [{ pointer: `/ids/${i}`, code: 'not_found', message: m.no_such_rule({ field: `ids.${i}` }) }],
    )
    failWith(faults)
    if (new Set(input.ids).size !== input.ids.length || input.ids.length !== order.length) {
      failWith([{ pointer: '/ids', code: 'mismatch', message: m.not_each_once({ field: fieldTerm('ids'), count: order.length }) }])
    }
    await renumber(db, input.ids)
    await channelsChanged(db, site.id, now)
    return { ids: [...input.ids] }
  },
})

const Preview = record(
  'ChannelPreview',
  {
    visits: Type.Integer({ unit: 'count', description: 'Number of visits in the range.' }),
    changed: Type.Integer({ unit: 'count', description: 'Number of visits whose channel would change.' }),
    rows: Type.Array(
      Type.Object({
        before: Sentence({ description: 'Present channel of the visits; empty if they have none yet.' }),
        after: Sentence({ description: 'Channel according to the current rules.' }),
        visits: Type.Integer({ unit: 'count', description: 'Number of visits.' }),
      }),
      { description: 'Changes, most visits first.' },
    ),
  },
  'The effect of the channel rules on past visits.',
)

export const channel_rules_preview = operation({
  route: 'GET /sites/{site_id}/channel_rules/preview',
  summary: 'Preview the channel rules for past visits',
  title: 'Preview of channels',
  place: 'aside',
  description: 'Groups visits by their present and their future channel. Changes nothing.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { from: optional(days.from), to: optional(days.to) },
  output: Preview,
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', from: '2026-03-01', to: '2026-03-09' } }],
  async run({ db, site, input, now, use }) {
    const today = localDay(site.timezone, now).day
    const toDay = dayOf(input.to ?? '') ?? today
    const fromDay = dayOf(input.from ?? '') ?? toDay - 29
    failWith(orderFaults(fromDay, toDay))
    const { countArrivals } = await import('../../../storage/hits/restate-channels.ts')
    const groups = await countArrivals(db, use(cluster), { site: site.number, fromDay, toDay, max: MAX_GROUPS })
    if (!groups) fail('limit_reached', m.too_many_visits())
    const channels = await readChannels(db, site.id)
    const counts = new Map<string, { before: string; after: string; visits: number }>()
    for (const { texts, before, visits } of groups) {
      await yieldWhereDue()
      const after = channels?.(texts) ?? texts.channel
      const row = counts.get(`${before}\0${after}`)
      if (row) row.visits += visits
      else counts.set(`${before}\0${after}`, { before, after, visits })
    }
    const rows = [...counts.values()].sort((a, b) => b.visits - a.visits || (a.after < b.after ? -1 : 1))
    const sum = (some: typeof rows) => some.reduce((all, { visits }) => all + visits, 0)
    return {
      visits: sum(rows),
      changed: sum(rows.filter(({ before, after }) => before !== after)),
      rows: rows.map(({ before, after, visits }) => ({ before: channelSentence(before), after: channelSentence(after), visits })),
    }
  },
})

const applied = {
  succeeded: m.application_done,
  failed: m.application_failed,
  pending: m.application_running,
  cancelled: m.applying_the_channel_rules_cancelled,
}

export const channel_rules_apply = operation({
  route: 'POST /sites/{site_id}/channel_rules/apply',
  summary: 'Apply the channel rules to past visits',
  label: 'Apply to past visits',
  done: 'Applying the channel rules started.',
  description: 'Starts a job in the background, one at a time per site. `channel_applications_list` returns its progress.',
  access: 'sites.manage',
  on: locked(site),
  effect: 'create',
  discards: true,
  input: days,
  output: ChannelApplication,
  outcome: ({ status, error }) => outcomeOf(status, applied, error),
  examples: [{ input: { site_id: '{{site}}', from: '2026-03-01', to: '2026-03-09' } }],
  async run({ db, site, input, now, newId }) {
    const [from_day, to_day] = [dayOf(input.from) ?? 0, dayOf(input.to) ?? 0]
    failWith(orderFaults(from_day, to_day))
    const running = await db
      .selectFrom('channel_applications')
      .select('id')
      .where('site_id', '=', site.id)
      .where('status', 'in', jobsOpen)
      .executeTakeFirst()
    if (running) fail('invalid_state', m.applied_already({ job: running.id }))
    const row = {
      id: newId(ids.channel_application),
      site_id: site.id,
      status: 'pending',
      from_day,
      to_day,
      next_day: from_day,
      next_visit: 0,
      changed: 0,
      error: null,
      created_at: now,
      started_at: null,
      finished_at: null,
    }
    await db.insertInto('channel_applications').values(row).execute()
    wakeAfter(db, 'channels_apply')
    return toApplication(row)
  },
})

export const channel_applications_list = list({
  route: 'GET /sites/{site_id}/channel_rules/apply',
  summary: 'List jobs that apply channel rules to past visits',
  empty: {
    says: 'Rules count from now on. Apply them to past visits, and the progress is shown here.',
    like: [['2026-01-01 – 2026-06-30', '100 %']],
  },
  title: 'Applied channels',
  place: 'aside',
  description: 'Jobs of `channel_rules_apply`, newest first.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: ChannelApplication,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('channel_applications').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toApplication), total }
  },
})

export const channel_applications_cancel = operation({
  route: 'POST /sites/{site_id}/channel_rules/apply/{id}/cancel',
  summary: 'Stop applying the channel rules to past visits',
  label: 'Cancel',
  done: 'Applying the channel rules cancelled.',
  description: 'Visits that the job has already changed keep their new channel.',
  access: 'sites.manage',
  on: [site, locked(channelApplication)],
  effect: 'update',
  discards: true,
  offered: { status: jobsOpen },
  input: {},
  output: ChannelApplication,
  examples: [{ input: { site_id: '{{site}}', id: '{{channel_application}}' } }],
  async run({ db, channel_application: row, now }) {
    if (row.status !== 'pending' && row.status !== 'running') fail('invalid_state', m.ended_already({ status: valueTerm(row.status) }))
    const cancelled = await db
      .updateTable('channel_applications')
      .set({ status: 'cancelled', finished_at: now })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toApplication(cancelled)
  },
})

async function orderOf(db: Db, { id }: LiveSite): Promise<string[]> {
  const rows = await db.selectFrom('channel_rules').select('id').where('site_id', '=', id).orderBy('position').orderBy('id').execute()
  return rows.map(row => row.id)
}

async function renumber(db: Db, order: readonly string[]): Promise<void> {
  for (const [i, id] of order.entries()) {
    await db
      .updateTable('channel_rules')
      .set({ position: i + 1 })
      .where('id', '=', id)
      .where('position', '!=', i + 1)
      .execute()
  }
}

function orderFaults(from: number, to: number): Fault[] {
  return from <= to
    ? []
    : [{ pointer: '/to', code: 'too_small', message: m.days_reversed({ to: fieldTerm('to'), from: fieldTerm('from') }) }]
}

/** The size of the patterns of all rules of a site but one. */
async function statesOfOthers(db: Db, { id: siteId }: LiveSite, id = ''): Promise<number> {
  const rules = await db.selectFrom('channel_rules').select('conditions').where('site_id', '=', siteId).where('id', '!=', id).execute()
  return statesIn(rules.flatMap(conditionsOf))
}

/** The size of the patterns of conditions. */
const statesIn = (conditions: readonly Condition[]): number =>
  conditions.reduce((all, { operator, value }) => (operator === 'regex' ? all + statesOf(value) : all), 0)

/** @param others the size of the patterns of the other rules */
function patternFaults(conditions: unknown, others = 0): Fault[] {
  if (!Array.isArray(conditions)) return []
  let states = others
  return conditions.flatMap((condition: Partial<Condition>, i): Fault[] => {
    if (condition.operator !== 'regex' || typeof condition.value !== 'string') return []
    const own = statesOf(condition.value)
    states += own
    const field = `conditions.${i}.value`
    const isOnlyTogether = own <= MAX_STATES && states > MAX_STATES
    const message = isOnlyTogether ? patternsTooLarge(field, MAX_STATES) : patternMessage(condition.value, field, MAX_STATES)
    return message === null ? [] : [{ pointer: `/conditions/${i}/value`, code: 'invalid_format', message }]
  })
}
