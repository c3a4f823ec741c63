/** A traffic rule determines which hits of a site are not counted. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { help, among, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { TrafficRuleRow } from '../../../storage/tables/traffic-rules.ts'
import { ofSite } from '../sites/records.ts'

export const ids = { traffic_rule: idKind('trf_') }

/** Largest number of rules of a site. */
export const MAX_RULES = 200

export const kinds = ['ip', 'asn', 'network_kind', 'country', 'region', 'hostname', 'page', 'referrer', 'user_agent', 'event'] as const
export type Kind = (typeof kinds)[number]
export const actions = ['block', 'allow'] as const
export type Action = (typeof actions)[number]

export const TrafficRule = record(
  'TrafficRule',
  {
    id: Type.String({ description: 'Prefix `trf_`.' }),
    site_id: Type.String({ description: 'Site of the rule.' }),
    kind: OneOf(kinds, { description: 'Value of a hit that the rule tests.' }),
    action: OneOf(actions, {
      description: '`block` drops matching hits. With `allow`, only hits that match an `allow` rule of this kind are counted.',
    }),
    value: Type.String({ description: 'Address or range, code, or pattern with `*`.' }),
    note: Nullable(Type.String(), { description: 'Reason for the rule.' }),
    enabled: Type.Boolean({ description: 'Whether the rule applies.' }),
    expires_at: Nullable(DateTime(), { description: 'When the rule expires.' }),
    matched_30d: Type.Integer({ unit: 'count', description: 'Hits that the rule dropped in the last 30 days.' }),
    last_matched_at: Nullable(DateTime(), { description: 'When the rule last dropped a hit.' }),
    created_at: DateTime({ description: 'When the rule was created.' }),
    updated_at: DateTime({ description: 'When the rule was last changed.' }),
  },
  'A rule for hits that are not counted.',
)

export const botLevels = ['standard', 'strict', 'off'] as const
export type BotLevel = (typeof botLevels)[number]

export const TrafficSettings = record(
  'TrafficSettings',
  {
    site_id: Type.String({ description: 'The site.' }),
    bots: OneOf(botLevels, {
      description:
        '`standard`: known bots and programs are not counted; `strict`: clients that send no language, name no known browser, or belong to a hosting network are not counted either; `off`: all hits are counted.',
      [help]:
        'Standard leaves out known bots and programs. Strict also leaves out clients that send no language, name no known browser, or belong to a hosting network. Off counts all hits.',
    }),
    spam_referrers: Type.Boolean({ description: 'Whether hits with a known spam referrer are dropped.' }),
  },
  'The filter of a site for bots and spam.',
)

export const trafficRule = subject<'traffic_rule', TrafficRuleRow>({
  name: 'traffic_rule',
  calledBy: 'value',
  table: 'traffic_rules',
  find: ofSite('traffic_rules'),
})

/** The number of hits that a rule decided. */
export interface Matched {
  readonly count: number
  readonly last: number | null
}

export function toTrafficRule(row: TrafficRuleRow, matched: Matched | undefined): Static<typeof TrafficRule> {
  return {
    id: row.id,
    site_id: row.site_id,
    kind: among(kinds, row.kind),
    action: among(actions, row.action),
    value: row.value,
    note: row.note,
    enabled: row.enabled === 1,
    expires_at: iso(row.expires_at),
    matched_30d: matched?.count ?? 0,
    last_matched_at: iso(matched?.last ?? null),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
