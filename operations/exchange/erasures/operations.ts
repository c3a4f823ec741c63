import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Id, optional, type Static } from '../../../runtime/table/schema.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { type Db, isTransaction, type Store } from '../../../storage/store.ts'
import { percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import type { VisitErasureRow } from '../../../storage/tables/index.ts'
import type { TrafficRuleRow } from '../../../storage/tables/traffic-rules.ts'
import { refuseWhileMerging } from '../../sites/sites/index.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { trafficRule } from '../../sites/traffic-rules/records.ts'
import { engine } from '../../reports/stats/index.ts'
import { countErasure, type ErasureInput, erasureInput, periodInput, type Resolved, resolveErasure } from './resolve-erasure.ts'
import { importedDaysIn } from './imported-days.ts'
import { ErasurePreview, ids, shownOf, toVisitErasure, VisitErasure, visitErasure } from './records.ts'
import { m } from './messages.ts'

/** Erasures of a site that have not finished, at most. */
const MAX_OPEN = 20

export const visits_erase_preview = operation({
  route: 'GET /sites/{site_id}/erasures/preview',
  summary: 'Preview an erasure: how many visits, hits and how much revenue it would delete',
  title: 'Preview of an erasure',
  place: 'aside',
  description:
    'Takes the period and the conditions of `visits_erase`, or a traffic rule for `traffic_rules_apply`, and counts what would be deleted now. Deletes nothing.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...erasureInput,
    traffic_rule_id: optional(Id({ description: 'Traffic rule to apply to the past, without filters and segment.' })),
  },
  output: ErasurePreview,
  examples: [
    { summary: 'Visits of our own office', input: { site_id: '{{site}}', period: 'all', filters: [['network', 'is', 'Example GmbH']] } },
    { summary: 'All visits of a day', input: { site_id: '{{site}}', from: '2026-02-01', to: '2026-02-01' } },
  ],
  async run({ db, site, input, now, use }) {
    const rule = input.traffic_rule_id === undefined ? undefined : await ruleOf(db, site, input.traffic_rule_id)
    if (rule) failWith(withoutConditions(input))
    const resolved = await resolveErasure({ db, site, now, input, rule, ruleAt: '/traffic_rule_id' })
    return previewOf(
      resolved,
      await countErasure({ site, engine: use(engine), now }, resolved),
      await importedDaysIn(db, site, resolved.row),
    )
  },
})

async function ruleOf(db: Db, { id: site_id }: LiveSite, id: string): Promise<TrafficRuleRow> {
  const row = await db.selectFrom('traffic_rules').selectAll().where('site_id', '=', site_id).where('id', '=', id).executeTakeFirst()
  if (!row) failWith([{ pointer: '/traffic_rule_id', code: 'not_found', message: m.no_rule() }])
  return row ?? fail('not_found')
}

const withoutConditions = ({ filters, segment_id, value }: Pick<ErasureInput, 'filters' | 'segment_id' | 'value'>) =>
  [
    ...(Array.isArray(filters) && filters.length > 0 ? ['filters'] : []),
    ...(segment_id === undefined ? [] : ['segment_id']),
    ...(value === undefined ? [] : ['value']),
  ].map(field => ({ pointer: `/${field}`, code: 'mismatch' as const, message: m.rule_without_filters({ field: fieldTerm(field) }) }))

const previewOf = (
  { row }: Resolved,
  { visits, emptied, pageviews, events, revenue, days, allVisits }: Awaited<ReturnType<typeof countErasure>>,
  imported_days: number,
): Static<typeof ErasurePreview> => ({
  ...shownOf(row),
  visits,
  whole_visits: emptied,
  pageviews,
  events,
  revenue,
  days,
  share: percentOf(visits, allVisits),
  all_visits: allVisits,
  imported_days,
})

const started = { succeeded: m.erased, failed: m.erased, pending: m.started }

export const visits_erase = operation({
  route: 'POST /sites/{site_id}/erasures',
  summary: 'Erase visits of the past that meet conditions',
  label: 'Erase visits',
  done: 'Erasing visits started.',
  description:
    'Cannot be undone. Deletes the visits of a period that meet the conditions, with all of their hits, in the background, also from copies (progress: `visits_erasures_list`). Call `visits_erase_preview` before: without conditions, all visits of the period are deleted. Imported totals stay, and new visits are counted as before.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  on: site,
  effect: 'create',
  discards: true,
  input: { ...erasureInput, confirm: confirmInput('The domain of the site') },
  output: VisitErasure,
  outcome: ({ state }) => outcomeOf(state, started),
  examples: [
    {
      summary: 'Visits of a test system',
      input: { site_id: '{{site}}', period: 'all', filters: [['hostname', 'is', 'staging.example.com']], confirm: 'example.com' },
    },
  ],
  secrets: ['value'],
  async run({ db, store, site, input, now, newId }) {
    confirmed(input.confirm, [site.domain], m.domain_of_site())
    const resolved = await resolveErasure({ db, site, now, input })
    if (resolved.isUnknown) failWith([{ pointer: '/value', code: 'not_found', message: m.no_such_value() }])
    return toVisitErasure(await request(db, { store, site, now, newId }, resolved))
  },
})

export const traffic_rules_apply = operation({
  route: 'POST /sites/{site_id}/traffic_rules/{id}/apply',
  summary: 'Apply a traffic rule to the past: delete stored hits that it would have dropped',
  label: 'Apply to the past',
  done: 'Traffic rule applied to the past.',
  description:
    'Cannot be undone. Deletes the hits of a period that the rule would have dropped, in the background, and repairs their visits (progress: `visits_erasures_list`). Call `visits_erase_preview` with `traffic_rule_id` before. A stored visit has the place, network and referrer of its first hit, but neither address nor user agent: rules of the kinds `ip`, `asn` and `user_agent` cannot be applied.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  on: [site, trafficRule],
  effect: 'create',
  discards: true,
  offered: { kind: ['country', 'region', 'network_kind', 'hostname', 'page', 'referrer', 'event'] },
  input: { ...periodInput, confirm: confirmInput('The domain of the site') },
  output: VisitErasure,
  outcome: ({ state }) => outcomeOf(state, started),
  examples: [{ input: { site_id: '{{site}}', id: '{{page_rule}}', period: 'all', confirm: 'example.com' } }],
  async run({ db, store, site, traffic_rule: rule, input, now, newId }) {
    confirmed(input.confirm, [site.domain], m.domain_of_site())
    const resolved = await resolveErasure({ db, site, now, input, rule })
    return toVisitErasure(await request(db, { store, site, now, newId }, resolved))
  },
})

interface Requesting {
  readonly store: Store
  readonly site: LiveSite
  readonly now: number
  newId(kind: IdKind): string
}

async function request(db: Db, { store, site, now, newId }: Requesting, { row }: Resolved): Promise<VisitErasureRow> {
  if (!isTransaction(db)) throw new Error('an erasure must be requested in a transaction')
  await store.dialect.lockSites(db, [site.number]) // from here on, no visit moves to another day (docs/analytics.md §5)
  await refuseWhileMerging(db, site)
  const open = db.selectFrom('visit_erasures').where('site_id', '=', site.id).where('finished_at', 'is', null)
  if ((await countOf(open)) >= MAX_OPEN) fail('limit_reached', m.too_many_open({ most: MAX_OPEN }))
  const erasure: VisitErasureRow = {
    id: newId(ids.visit_erasure),
    site_id: site.id,
    ...row,
    visits: 0,
    pageviews: 0,
    events: 0,
    revenue: 0,
    next_day: null,
    progress: 0,
    requested_at: now,
    finished_at: null,
  }
  await db.insertInto('visit_erasures').values(erasure).execute()
  wakeAfter(db, 'visits_erasing')
  return erasure
}

export const visits_erasures_list = list({
  route: 'GET /sites/{site_id}/erasures',
  summary: 'List erasures of visits, with their progress',
  title: 'Clean up',
  empty: {
    says: 'Visits that should never have counted can be erased: of your own office, of a test system, of bots.',
    like: [
      ['staging.example.com', '1,204'],
      ['Hosting networks', '590'],
    ],
  },
  description: 'Running erasures and, for 90 days, finished ones; latest first.',
  place: 'data',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: VisitErasure,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('visit_erasures').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('requested_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toVisitErasure), total }
  },
})

export const visits_erasures_get = operation({
  route: 'GET /sites/{site_id}/erasures/{id}',
  summary: 'Get an erasure of visits, with its progress',
  title: 'Erasure',
  access: 'analytics.read',
  on: [site, visitErasure],
  effect: 'read',
  input: {},
  output: VisitErasure,
  examples: [{ input: { site_id: '{{site}}', id: '{{visit_erasure}}' } }],
  run: async ({ visit_erasure }) => toVisitErasure(visit_erasure),
})
