/**
 * Checks that settings of a workspace's file are as the operations would have stored them: each record matches its schema, and
 * every choice in it is an input that its operation takes. A file is written by anyone.
 */
import { Type } from '@sinclair/typebox'
import type { Operation } from '../../../../runtime/table/operation.ts'
import { checkFaults } from '../../../../runtime/table/validate.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { matches } from '../../../../runtime/values/matches.ts'
import { isZone } from '../../../../storage/calendar/zones.ts'
import type { TableName } from '../../../../storage/tables/index.ts'
import type { CarriedRow } from '../../../../storage/transfer/read-rows.ts'
import campaigns from '../../../reports/campaigns/area.ts'
import { Campaign, toCampaign } from '../../../reports/campaigns/records.ts'
import dashboards from '../../../reports/dashboards/area.ts'
import { Card } from '../../../reports/dashboards/records.ts'
import { Trait } from '../../../reports/people/records.ts'
import { EventSetting, PropertySetting, toEventSetting, toPropertySetting } from '../../../reports/events/records.ts'
import funnels from '../../../reports/funnels/area.ts'
import { Funnel, toFunnel } from '../../../reports/funnels/records.ts'
import channelRules from '../../../sites/channel-rules/area.ts'
import { ChannelRule, toChannelRule } from '../../../sites/channel-rules/records.ts'
import goals from '../../../sites/goals/area.ts'
import { Goal, toGoal } from '../../../sites/goals/records.ts'
import notes from '../../../sites/notes/area.ts'
import { Note, toNote } from '../../../sites/notes/records.ts'
import segments from '../../../sites/segments/area.ts'
import { Segment, toSegment } from '../../../sites/segments/records.ts'
import sites from '../../../sites/sites/area.ts'
import { canonicalDomain } from '../../../sites/sites/index.ts'
import { Site, toSite } from '../../../sites/sites/records.ts'
import tracking from '../../../sites/tracking/area.ts'
import trafficRules from '../../../sites/traffic-rules/area.ts'
import { botLevels, toTrafficRule, TrafficRule } from '../../../sites/traffic-rules/records.ts'
import alerts from '../../../watch/alerts/area.ts'
import { Alert, toAlert } from '../../../watch/alerts/records.ts'
import { Import, toImport } from '../records.ts'

type Check = (row: CarriedRow) => boolean
interface WithOperations {
  readonly operations?: Readonly<Record<string, Operation>> | readonly Readonly<Record<string, Operation>>[]
}

/** Whether a record has only values that an operation takes. Null means that a field is not given. */
function isInputOf({ operations = [] }: WithOperations, id: string) {
  const found = (Array.isArray(operations) ? operations : [operations]).flatMap(each => each[id] ?? [])
  const operation: Operation | undefined = found[0]
  if (!operation) throw new Error(`no operation ${id}`)
  const schema = Type.Object(
    Object.fromEntries(Object.entries(operation.input.properties).map(([name, field]) => [name, Type.Optional(field)])),
  )
  return (record: Readonly<Record<string, unknown>>): boolean => {
    const given = Object.fromEntries(Object.entries(record).filter(([name, value]) => value !== null && name in schema.properties))
    return matches(schema, given) && checkFaults(schema.properties, given, []).length === 0
  }
}

const row = <Row>(given: CarriedRow): Row => given as Row // its cells were checked column by column
const goalInput = isInputOf(goals, 'goals_create')
const segmentInput = isInputOf(segments, 'segments_create')
const funnelInput = isInputOf(funnels, 'funnels_create')
const noteInput = isInputOf(notes, 'notes_create')
const campaignInput = isInputOf(campaigns, 'campaigns_create')
const channelInput = isInputOf(channelRules, 'channel_rules_create')
const trafficInput = isInputOf(trafficRules, 'traffic_rules_create')
const alertInput = isInputOf(alerts, 'alerts_create')
const dashboardInput = isInputOf(dashboards, 'dashboards_create')
const siteInput = isInputOf(sites, 'sites_update')
const trackingInput = isInputOf(tracking, 'tracking_update')

/** The value of a trait, and when it was sent. */
const StoredTrait = Type.Tuple([Trait.properties.value, Type.Number()])

const isFlag = (value: unknown): boolean => value === 0 || value === 1
/** A record whose schema and input both fit. */
const both =
  <Row>(
    schema: Parameters<typeof matches>[0],
    to: (of: Row) => Readonly<Record<string, unknown>>,
    isInput: (record: Readonly<Record<string, unknown>>) => boolean,
  ): Check =>
  given => {
    const record = to(row<Row>(given))
    return matches(schema, record) && isInput(record)
  }

const checks: Partial<Record<TableName, Check>> = {
  sites(given) {
    const { kind, domain, timezone } = given
    if (kind === 'group') return domain === null && isZone(String(timezone)) && typeof given.name === 'string' && given.name.length <= 253
    if (kind !== 'site' || typeof domain !== 'string' || canonicalDomain(domain) !== domain) return false
    const site = toSite(row({ ...given, workspace_id: '', deleted_at: null, identity_key: null, texts_forgotten: 0 }))
    const flags = ['public', 'ignore_known_referrers', 'ignore_own_sites', 'identity_names', 'visit_list'].every(name =>
      isFlag(given[name]),
    )
    return flags && isZone(String(timezone)) && matches(Site, site) && siteInput({ ...site, aliases: undefined, kind: undefined })
  },
  site_aliases: ({ name }) => typeof name === 'string' && name.length <= 253,
  group_sites: () => true,
  goals: both(Goal, toGoal, goalInput),
  saved_segments: both(Segment, toSegment, segmentInput),
  funnels: both(Funnel, toFunnel, ({ name, steps }) => funnelInput({ name, steps })),
  notes: both(Note, toNote, ({ text }) => noteInput({ text })),
  campaigns: both<never>(
    Campaign,
    given => toCampaign(given, { currency: 'EUR' }),
    ({ name, utm_campaign, starts_on, ends_on, cost_cents }) => campaignInput({ name, utm_campaign, starts_on, ends_on, cost_cents }),
  ),
  channel_rules: both(ChannelRule, toChannelRule, ({ channel, match, conditions }) => channelInput({ channel, match, conditions })),
  channel_rule_sets: ({ revision }) => Number(revision) >= 0,
  traffic_rules: both<never>(
    TrafficRule,
    given => toTrafficRule(given, undefined),
    ({ kind, action, value, note }) => trafficInput({ kind, action, value, note }),
  ),
  traffic_settings: ({ bots, spam_referrers }) => botLevels.some(level => level === bots) && isFlag(spam_referrers),
  event_settings: given => matches(EventSetting, toEventSetting(row(given))),
  property_settings: given => matches(PropertySetting, toPropertySetting(row(given))),
  dashboards({ name, cards }) {
    const all: unknown = JSON.parse(String(cards))
    return Array.isArray(all) && all.every(card => matches(Card, card)) && dashboardInput({ name, cards: all })
  },
  alerts: both<never>(
    Alert,
    given => toAlert({ ...(given as CarriedRow), ...freshAlert } as never, []),
    ({ channel_ids: _, site_id: _site, goal_id: _goal, ...rest }) => alertInput(rest),
  ),
  site_tracking(given) {
    const lists = ['download_extensions', 'include', 'exclude'].map(name => [name, JSON.parse(String(given[name]))])
    const flags = ['hash', 'outbound_links', 'downloads', 'forms', 'clicks', 'vitals', 'respect_dnt']
    return flags.every(name => isFlag(given[name])) && trackingInput(Object.fromEntries(lists.filter(([, value]) => value.length > 0)))
  },
  imports(given) {
    const whole = {
      ...given,
      workspace_id: '',
      created_by: null,
      url: null,
      url_tag: null,
      bytes: null,
      upload_by: null,
      upload_until: null,
      removing: 0,
    }
    return ['completed', 'failed', 'cancelled'].includes(String(given.status)) && matches(Import, toImport(row(whole), { undoable: false }))
  },
  persons({ traits }) {
    const stored: unknown = JSON.parse(String(traits))
    return isObject(stored) && Object.values(stored).every(each => matches(StoredTrait, each))
  },
  dict: ({ dim, id, value }) => Number(dim) > 0 && Number(id) > 0 && Number(id) < 2 ** 30 && String(value).length <= 10_000,
}

/** The state of an alert that has not been evaluated yet. */
export const freshAlert = Object.freeze({ state: 'ok', last_triggered_at: null, last_evaluated_at: null, leased_until: null, streak: 0 })

/** Counts, places and times are 0 or later; the day of an import may be before 1970. */
const hasNoNegative = (given: CarriedRow): boolean => Object.values(given).every(cell => typeof cell !== 'number' || cell >= 0)

export function isSoundRow(table: TableName, given: CarriedRow): boolean {
  const check = checks[table]
  try {
    return check ? check(given) : hasNoNegative(given)
  } catch {
    return false // JSON that is none, or a value that no record has
  }
}
