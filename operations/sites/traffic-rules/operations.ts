import { Type } from '@sinclair/typebox'
import { type DetailCode, fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Clearable, DateTime, flag, OneOf, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { isUniqueViolation } from '../../../storage/store.ts'
import { site } from '../sites/records.ts'
import { matchesOf } from './matches.ts'
import {
  actions,
  botLevels,
  ids,
  kinds,
  type Kind,
  MAX_RULES,
  toTrafficRule,
  TrafficRule,
  trafficRule,
  TrafficSettings,
} from './records.ts'
import { defaultSettings, rulesChanged } from './site-traffic.ts'
import { readValue } from './value.ts'
import { fieldTerm, type Message, timeTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

const kind = OneOf(kinds, {
  description:
    'Kind of rule: `ip`: address or range, at widest /8 (IPv6 /32); `asn`: `AS3320`; `network_kind`: `hosting`, `vpn`, `isp`, `mobile` or `education`; `country`, `region`: ISO code; `hostname`, `page`, `referrer` (host and path), `user_agent`, `event`: pattern.',
  [checkedBy]: (given, _, { value }) => (isKind(given) && typeof value === 'string' ? valueFaults(given, value) : []),
})
const isKind = (given: unknown): given is Kind => kinds.some(each => each === given)

const fields = {
  action: OneOf(actions, {
    description: '`block` drops matching hits. If a kind has an `allow` rule, only hits that match one of its `allow` rules are counted.',
  }),
  value: Type.String({ minLength: 1, maxLength: 300, description: 'Value to match. In patterns, `*` matches any text.' }),
  note: Clearable(Type.String({ maxLength: 200 }), { description: 'Reason for the rule.' }),
  enabled: Type.Boolean({ description: 'Whether the rule applies.' }),
  expires_at: Clearable(DateTime(), { description: 'When the rule expires.' }),
}

export const traffic_rules_list = list({
  route: 'GET /sites/{site_id}/traffic_rules',
  summary: 'List the traffic rules of a site',
  empty: {
    says: 'A rule leaves out hits that should not count: your office, a country, a path.',
    like: [
      ['203.0.113.0/24', '✕'],
      ['/admin/*', '✕'],
    ],
  },
  title: 'Traffic rules',
  place: 'rules',
  description: 'Rules for hits that are not counted, with the number of hits that each rule dropped in 30 days. Oldest first.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { kind: optional(OneOf(kinds, { description: 'Only rules of this kind.' })) },
  of: TrafficRule,
  also: { your_ip: Type.String({ description: 'IP address of this request, for example to exclude your own visits.' }) },
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', kind: 'ip' } }],
  async run({ db, site, input, page, now, request }) {
    let all = db.selectFrom('traffic_rules').selectAll().where('site_id', '=', site.id)
    if (input.kind !== undefined) all = all.where('kind', '=', input.kind)
    const { rows, total } = await pageOf(all.orderBy('created_at').orderBy('id'), page)
    const matched = await matchesOf(
      db,
      rows.map(({ id }) => id),
      now,
    )
    return { rows: rows.map(row => toTrafficRule(row, matched.get(row.id))), total, also: { your_ip: request.ip } }
  },
})

export const traffic_rules_create = operation({
  route: 'POST /sites/{site_id}/traffic_rules',
  summary: 'Create a traffic rule: do not count an office, a country, spam',
  description: `Applies to new hits, within seconds. Counted hits stay. At most ${MAX_RULES} rules per site.`,
  access: 'sites.manage',
  on: locked(site),
  effect: 'create',
  input: {
    kind,
    action: { ...fields.action, default: 'block' },
    value: fields.value,
    note: optional(fields.note),
    enabled: Type.Boolean({ ...fields.enabled, default: true }),
    expires_at: optional(fields.expires_at),
  },
  output: TrafficRule,
  examples: [
    { summary: 'An office', input: { site_id: '{{site}}', kind: 'ip', value: '203.0.113.0/24', note: 'Our office' } },
    { summary: 'Previews', input: { site_id: '{{site}}', kind: 'page', value: '/preview/*' } },
    { summary: 'Only our hosts', input: { site_id: '{{site}}', kind: 'hostname', action: 'allow', value: '*.example.com' } },
  ],
  async run({ db, site, input, now, newId }) {
    failWith([...valueFaults(input.kind, input.value), ...endFaults(input.expires_at, now)])
    const count = await countOf(db.selectFrom('traffic_rules').where('site_id', '=', site.id))
    if (count >= MAX_RULES) fail('limit_reached', m.too_many({ most: MAX_RULES }))
    const row = {
      id: newId(ids.traffic_rule),
      site_id: site.id,
      kind: input.kind,
      action: input.action,
      value: valueIn(input.kind, input.value),
      note: input.note || null,
      enabled: Number(input.enabled),
      expires_at: instant(input.expires_at) ?? null,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('traffic_rules').values(row).execute().catch(refuseTaken)
    await rulesChanged(db, site.id, now)
    return toTrafficRule(row, undefined)
  },
})

export const traffic_rules_get = operation({
  route: 'GET /sites/{site_id}/traffic_rules/{id}',
  summary: 'Get a traffic rule',
  access: 'analytics.read',
  on: [site, trafficRule],
  effect: 'read',
  input: {},
  output: TrafficRule,
  examples: [{ input: { site_id: '{{site}}', id: '{{traffic_rule}}' } }],
  run: async ({ db, traffic_rule: row, now }) => toTrafficRule(row, (await matchesOf(db, [row.id], now)).get(row.id)),
})

export const traffic_rules_update = operation({
  route: 'PATCH /sites/{site_id}/traffic_rules/{id}',
  summary: 'Change a traffic rule',
  access: 'sites.manage',
  on: [site, trafficRule],
  effect: 'update',
  input: {
    kind: optional(kind),
    action: optional(fields.action),
    value: optional(fields.value),
    note: optional(fields.note),
    enabled: optional(fields.enabled),
    expires_at: optional(fields.expires_at),
  },
  output: TrafficRule,
  examples: [
    { input: { site_id: '{{site}}', id: '{{traffic_rule}}', enabled: false } },
    { summary: 'Until the end of the year', input: { site_id: '{{site}}', id: '{{traffic_rule}}', expires_at: '2026-12-31T23:00:00Z' } },
  ],
  async run({ db, site, traffic_rule: before, input, now }) {
    const after = { kind: input.kind ?? kindOf(before.kind), value: input.value ?? before.value }
    const isRestated = instant(input.expires_at) === before.expires_at // a client may send back an expired rule unchanged
    failWith([...valueFaults(after.kind, after.value), ...(isRestated ? [] : endFaults(input.expires_at, now))])
    const row = await db
      .updateTable('traffic_rules')
      .set({
        kind: after.kind,
        action: input.action,
        value: valueIn(after.kind, after.value),
        note: input.note === undefined ? undefined : input.note || null,
        enabled: flag(input.enabled),
        expires_at: instant(input.expires_at),
        updated_at: now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTaken)
    if (!row) fail('not_found')
    await rulesChanged(db, site.id, now)
    return toTrafficRule(row, (await matchesOf(db, [row.id], now)).get(row.id))
  },
})

export const traffic_rules_delete = operation({
  route: 'DELETE /sites/{site_id}/traffic_rules/{id}',
  summary: 'Delete a traffic rule',
  access: 'sites.manage',
  on: [site, trafficRule],
  effect: 'delete',
  input: {},
  output: TrafficRule,
  examples: [{ input: { site_id: '{{site}}', id: '{{traffic_rule}}' } }],
  async run({ db, site, traffic_rule: { id }, now }) {
    const matched = await matchesOf(db, [id], now)
    const deleted = await db.deleteFrom('traffic_rules').where('id', '=', id).returningAll().executeTakeFirst()
    if (!deleted) fail('not_found')
    await rulesChanged(db, site.id, now)
    return toTrafficRule(deleted, matched.get(id))
  },
})

export const traffic_settings_get = operation({
  route: 'GET /sites/{site_id}/traffic_rules/settings',
  summary: 'Get how a site separates visitors from bots and spam',
  title: 'Bots and spam',
  place: 'rules',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  output: TrafficSettings,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site }) {
    const row = await db.selectFrom('traffic_settings').selectAll().where('site_id', '=', site.id).executeTakeFirst()
    return toSettings(site.id, row ?? defaultSettings)
  },
})

export const traffic_settings_update = operation({
  route: 'PATCH /sites/{site_id}/traffic_rules/settings',
  summary: 'Change how bots and spam are separated from visitors',
  description: 'Applies to new hits; counted hits stay.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    bots: optional(TrafficSettings.properties.bots),
    spam_referrers: optional(Type.Boolean({ description: TrafficSettings.properties.spam_referrers.description ?? '' })),
  },
  output: TrafficSettings,
  examples: [{ input: { site_id: '{{site}}', bots: 'strict' } }, { input: { site_id: '{{site}}', spam_referrers: false } }],
  async run({ db, site, input, now }) {
    const changed = { bots: input.bots, spam_referrers: flag(input.spam_referrers), updated_at: now }
    const row = await db
      .insertInto('traffic_settings')
      .values({
        site_id: site.id,
        bots: input.bots ?? defaultSettings.bots,
        spam_referrers: changed.spam_referrers ?? defaultSettings.spam_referrers,
        revision: 0,
        updated_at: now,
      })
      .onConflict(conflict => conflict.column('site_id').doUpdateSet(changed))
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSettings(site.id, row)
  },
})

function toSettings(site_id: string, { bots, spam_referrers }: { bots: string; spam_referrers: number }) {
  return { site_id, bots: botLevels.find(level => level === bots) ?? defaultSettings.bots, spam_referrers: spam_referrers === 1 }
}

const kindOf = (stored: string): Kind => kinds.find(each => each === stored) ?? fail('not_found')

function valueFaults(of: Kind, value: string): Fault[] {
  const read = readValue(of, value)
  return 'fault' in read ? [faultAt('value', 'invalid_format', read.fault)] : []
}

/** @throws Error for an invalid value, which `valueFaults` has reported before */
function valueIn(of: Kind, value: string): string {
  const read = readValue(of, value)
  if ('fault' in read) throw new Error(String(read.fault))
  return read.value
}

const instant = (given: string | null | undefined): number | null | undefined =>
  given === undefined ? undefined : given ? Date.parse(given) : null

function endFaults(given: string | null | undefined, now: number): Fault[] {
  const at = instant(given)
  return at && at <= now ? [faultAt('expires_at', 'too_small', m.ends_in_past({ field: fieldTerm('expires_at'), now: timeTerm(now) }))] : []
}

const faultAt = (field: string, code: DetailCode, message: Message): Fault => ({ pointer: `/${field}`, code, message })

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.value_taken())
  throw error
}
