/** Tests the traffic rules with an imaginary hit. */
import { Type } from '@sinclair/typebox'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { addressIn } from '../../../runtime/outbound/network.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { OneOf, optional, help } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { site } from '../sites/records.ts'
import { engine } from '../sites/index.ts'
import { matchesOf, pastOf, type PastRule, pastRule, plainTraffic, readValue, siteTraffic } from '../traffic-rules/index.ts'
import { type Kind, kinds, toTrafficRule } from '../traffic-rules/records.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import { collector } from './collector.ts'
import { addressing } from './addressing.ts'
import { addressOf } from './formats/address.ts'
import { withPageParameters } from './formats/page-parameters.ts'
import { LIMITS } from './hit.ts'
import { TrafficTest } from './records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Number of past days of which hits are counted. */
const PAST_DAYS = 30
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const field = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

export const traffic_rules_test = operation({
  route: 'GET /sites/{site_id}/traffic_rules/test',
  summary: 'Test whether a hit would be counted, and which traffic rule decides',
  title: 'Test traffic rules',
  place: 'aside',
  description: 'Fields that are left out have the values of an ordinary visit.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ip: optional({ ...field(64, 'IP address of the visitor. Defaults to yours.'), [checkedBy]: given => ipFaults(String(given)) }),
    url: optional({ ...field(LIMITS.url, 'URL of the page, or its path.'), [checkedBy]: given => urlFaults(String(given)) }),
    user_agent: optional(field(LIMITS.userAgent, 'User agent. Defaults to a common browser.')),
    referrer: optional(field(LIMITS.url, 'URL of the referring page, with https://.')),
    country: optional(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        maxLength: 2,
        description: 'ISO 3166-1 code, instead of the country of `ip`.',
        [help]: 'Two letters, for example DE. Empty: the country of the IP address.',
      }),
    ),
    event: optional(field(LIMITS.name, 'Name of a custom event.')),
    kind: optional(
      OneOf(kinds, {
        description: 'Kind of a rule that is not saved yet, for `dropped_30d`.',
        [help]: 'A rule that is not saved yet: how many hits of the last 30 days it would leave out.',
      }),
    ),
    value: optional(field(300, 'Value of that rule.')),
  },
  output: TrafficTest,
  examples: [
    { input: { site_id: '{{site}}' } },
    { summary: 'How many hits of the past a rule would have dropped', input: { site_id: '{{site}}', kind: 'page', value: '/drafts/*' } },
    { summary: 'A page seen from an office', input: { site_id: '{{site}}', ip: '198.51.100.7', url: '/pricing' } },
  ],
  async run({ db, site, input, use, request, now }) {
    failWith([...(input.ip === undefined ? [] : ipFaults(input.ip)), ...(input.url === undefined ? [] : urlFaults(input.url))])
    const traffic = (await siteTraffic(db)([site.id])).get(site.id) ?? plainTraffic
    const ip = addressIn(input.ip ?? request.ip) ?? ''
    const { keptOut, placeOf, networkOf } = use(collector)
    const known = await placeOf(ip)
    const network = await networkOf(ip)
    const place = input.country === undefined ? known : { country: input.country.toUpperCase(), region: '', city: '' }
    const typed = addressOf(input.url ?? '/', 'routes', `https://${site.domain}`)
    const address = typed && withPageParameters(typed, addressing(site).pageParameters)
    const hit = {
      hostname: address?.hostname ?? '',
      page: address?.page ?? '',
      referrer: input.referrer ?? '',
      name: input.event ?? '',
    }
    const origin = { ip, userAgent: input.user_agent ?? BROWSER, acceptLanguage: 'en', isServer: false }
    const drop = keptOut(hit, { traffic, origin, placeOf: () => place, networkOf: () => network, now })
    const decisive = drop?.rule === undefined ? undefined : await rowOf(drop.rule)
    const dropped = await pastDrops(ruleOf(input) ?? (decisive && (await pastRule(db, decisive, now))))
    return {
      counted: drop === undefined,
      reason: drop?.reason ?? null,
      rule: decisive ? toTrafficRule(decisive, (await matchesOf(db, [decisive.id], now)).get(decisive.id)) : null,
      country: place.country || null,
      region: place.region || null,
      asn: network.asn === 0 ? null : `AS${network.asn}`,
      network: network.network || null,
      network_kind: network.network_kind || null,
      ...dropped,
    }

    function rowOf(id: string) {
      return db.selectFrom('traffic_rules').selectAll().where('id', '=', id).executeTakeFirst()
    }

    async function pastDrops(rule: PastRule | undefined) {
      if (!rule) return { dropped_30d: null, dropped_30d_unknown: null }
      const conditions = pastOf(rule)
      if ('fault' in conditions) return { dropped_30d: null, dropped_30d_unknown: conditions.fault }
      const { day } = localDay(site.timezone, now)
      const span = { from: now - PAST_DAYS * DAY_MS, to: now, fromDay: day - PAST_DAYS - 1, toDay: day + ZONE_CHANGE_DAYS, whole: false }
      const asked = { report: 'erasure', span, hits: conditions.hits, before: now + 1, withIds: false } as const
      const { pageviews, events } = await use(engine).query({
        site: site.number,
        where: conditions.where,
        goals: [],
        zone: site.timezone,
        asked,
      })
      return { dropped_30d: pageviews + events, dropped_30d_unknown: null }
    }
  },
})

/** The rule of the input, if there is one. @throws Failure 422 for an invalid value */
function ruleOf({ kind, value }: { kind?: Kind | undefined; value?: string | undefined }): PastRule | undefined {
  if (kind === undefined || value === undefined) return undefined
  const read = readValue(kind, value)
  if ('fault' in read) {
    failWith([{ pointer: '/value', code: 'invalid_format', message: read.fault }])
    return undefined
  }
  return { kind, action: 'block', value: read.value, allowed: [] }
}

function ipFaults(ip: string): Fault[] {
  if (addressIn(ip) !== undefined) return []
  return [{ pointer: '/ip', code: 'invalid_format', message: m.no_address({ field: fieldTerm('ip') }) }]
}

function urlFaults(url: string): Fault[] {
  if (addressOf(url, 'routes', 'https://nowhere.invalid')) return []
  return [{ pointer: '/url', code: 'invalid_format', message: m.no_page({ field: fieldTerm('url') }) }]
}
