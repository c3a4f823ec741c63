/** A traffic rule says which hits of a site are not counted. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { TrafficRuleRow } from '../../../storage/tables/traffic-rules.ts'
import { ofSite } from '../sites/records.ts'

export const ids = { traffic_rule: idKind('trf_') }

/** Rules of one site. */
export const MOST_RULES = 200

export const kinds = ['ip', 'country', 'region', 'hostname', 'page', 'referrer', 'user_agent', 'event'] as const
export type Kind = (typeof kinds)[number]
export const actions = ['block', 'allow'] as const
export type Action = (typeof actions)[number]

export const TrafficRule = record(
  'TrafficRule',
  {
    id: Type.String({ description: 'Prefix `trf_`.' }),
    site_id: Type.String({ description: 'Site it belongs to.' }),
    kind: OneOf(kinds, { description: 'What of a hit it looks at.' }),
    action: OneOf(actions, { description: '`block` keeps hits out; `allow` makes its kind a list of all that is counted.' }),
    value: Type.String({ description: 'Address or range, code, or pattern with `*`.' }),
    note: Nullable(Type.String(), { description: 'Why it is there.' }),
    enabled: Type.Boolean({ description: 'Whether it is in force.' }),
    expires_at: Nullable(DateTime(), { description: 'When it ends by itself.' }),
    matched_30d: Type.Integer({ unit: 'count', description: 'Hits that it kept out in the last 30 days.' }),
    last_matched_at: Nullable(DateTime(), { description: 'When it last kept one out.' }),
    created_at: DateTime({ description: 'When it was made.' }),
    updated_at: DateTime({ description: 'When it was last changed.' }),
  },
  'A rule about hits that are not counted.',
)

export const botLevels = ['standard', 'strict', 'off'] as const
export type BotLevel = (typeof botLevels)[number]

export const TrafficSettings = record(
  'TrafficSettings',
  {
    site_id: Type.String({ description: 'The site.' }),
    bots: OneOf(botLevels, {
      description:
        '`standard`: known bots and programs are not counted; `strict`: nor are clients that send no language or name no known browser; `off`: all are counted.',
    }),
    spam_referrers: Type.Boolean({ description: 'Whether hits with a known spam referrer are kept out.' }),
  },
  'How a site separates visitors from bots and spam.',
)

export const trafficRule = subject<'traffic_rule', TrafficRuleRow>({
  name: 'traffic_rule',
  table: 'traffic_rules',
  find: ofSite('traffic_rules'),
})

/** How often a rule decided. */
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
