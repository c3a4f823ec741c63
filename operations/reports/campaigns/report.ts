/** Reports on campaigns: visits, conversions and revenue of each, compared with its cost. */
import { report } from '../../../runtime/table/operation.ts'
import type { CampaignRow } from '../../../storage/tables/campaigns.ts'
import { dayOf } from '../../../storage/calendar/zones.ts'
import { site } from '../../sites/sites/records.ts'
import {
  type Applied,
  apply,
  engine,
  type Engine,
  type Note,
  periodOf,
  queryOf,
  ReportMeta,
  spanOf,
  statsInput,
  withNotes,
} from '../stats/index.ts'
import { CampaignReport } from './records.ts'
import { percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { predicate, sense } from '../../../storage/engine/vocabulary/operators.ts'
import { type Condition, isAll, isAny, leavesOf } from '../../../storage/engine/vocabulary/scope.ts'
import { m } from './messages.ts'

/** Largest number of `utm_campaign` values in a report. */
const MAX_VALUES = 1_000
/** Largest number of different goals that a report counts. */
const MAX_GOALS = 20

export const campaigns_report = report({
  route: 'GET /sites/{site_id}/campaigns/report',
  summary: 'Compare campaigns: visits, conversions, revenue, cost and return',
  title: 'Campaign results',
  description: 'Registered campaigns, and values of `utm_campaign` without a campaign.',
  place: 'campaigns',
  icon: 'campaign',
  access: 'analytics.read',
  on: site,
  groups: false,
  effect: 'read',
  input: {
    period: statsInput.period,
    from: statsInput.from,
    to: statsInput.to,
    filters: statsInput.filters,
    segment_id: statsInput.segment_id,
  },
  output: CampaignReport,
  meta: ReportMeta,
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', period: '90d' } }],
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, { ...input, compare: 'none' })
    const campaigns = await db
      .selectFrom('campaigns')
      .selectAll()
      .where('site_id', '=', site.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const known = new Map(campaigns.map(campaign => [campaign.utm_campaign, campaign]))
    const counted = await countedBy(applied, use(engine))
    const goals = [...new Set(campaigns.flatMap(({ goal_id }) => (goal_id === null ? [] : [goal_id])))].slice(0, MAX_GOALS)
    const converted = new Map<string, ReadonlyMap<string, Counted>>()
    for (const goal of goals) converted.set(goal, (await countedBy(applied, use(engine), goal)).values)

    const isWhole = applied.where.every(isOnCampaigns)
    const of = (value: string) => {
      const campaign = known.get(value)
      const { visitors = 0, visits = 0, revenue = 0 } = counted.values.get(value) ?? {}
      const goal = campaign?.goal_id == null ? undefined : converted.get(campaign.goal_id)
      const conversions = goal ? (goal.get(value)?.visits ?? 0) : null
      const cost = campaign && isWhole ? costIn(campaign, applied) : null
      return {
        campaign_id: campaign?.id ?? null,
        name: campaign?.name ?? value,
        utm_campaign: value,
        visitors,
        visits,
        revenue,
        conversions,
        conversion_rate: conversions === null ? null : percentOf(conversions, visits),
        cost_cents: cost,
        cost_per_conversion_cents: cost === null || !conversions ? null : Math.round(cost / conversions),
        return_rate: cost === null || cost === 0 ? null : Math.round((1_000 * (revenue - cost)) / cost) / 10,
      }
    }
    const values = [
      ...new Set([
        ...counted.values.keys(),
        ...[...known.keys()].filter(value => !isWhole || applied.where.every(each => passes(each, value))),
      ]),
    ]
    const rows = values.map(of).sort((a, b) => b.visits - a.visits || (a.name < b.name ? -1 : 1))
    return {
      data: { period: periodOf(applied.range), rows },
      meta: withNotes(applied.meta, isWhole ? counted.notes : [...counted.notes, costNotNarrowed]),
    }
  },
})

const costNotNarrowed: Note = Object.freeze({ code: 'cost_not_narrowed', message: m.cost_not_narrowed() })

/** Whether a condition keeps or excludes all visits of a campaign. Under any other, its cost would be compared with a part of them. */
const isOnCampaigns = (condition: Condition): boolean => leavesOf(condition).every(({ dimension }) => dimension === 'utm_campaign')

function passes(condition: Condition, value: string): boolean {
  if (isAny(condition)) return condition.any.some(each => passes(each, value))
  if (isAll(condition)) return condition.all.every(each => passes(each, value))
  return predicate(condition.operator, condition.values)(value) !== sense(condition.operator).negated
}

interface Counted {
  readonly visitors: number
  readonly visits: number
  readonly revenue: number
}

/** Returns visits by `utm_campaign`. @param goal counts only visits that completed it */
async function countedBy(applied: Applied, engine: Engine, goal?: string) {
  const { range, site, where } = applied
  const pointer = '/goal_id'
  const completed = goal === undefined ? [] : [{ dimension: 'goal', operator: 'is' as const, values: [goal], pointer }]
  const { rows, notes } = await engine.query({
    ...queryOf(applied),
    where: [...where, ...completed, { dimension: 'utm_campaign', operator: 'is_not' as const, values: [''], pointer }],
    asked: {
      report: 'breakdown',
      dimension: 'utm_campaign',
      span: spanOf(site.timezone, range, range),
      compared: null,
      sort: 'visits',
      offset: 0,
      limit: MAX_VALUES,
    },
  })
  const values: ReadonlyMap<string, Counted> = new Map(rows.map(({ value, sums }) => [value, sums]))
  return { values, notes }
}

/** Returns the cost in the range, spread evenly over the campaign's days. Without days, returns the whole cost. */
function costIn({ cost_cents, starts_on, ends_on }: CampaignRow, { range }: Applied): number | null {
  if (cost_cents === null || starts_on === null || ends_on === null) return cost_cents
  const [first, last] = [dayOf(starts_on) ?? 0, dayOf(ends_on) ?? 0]
  const inside = Math.min(last, range.toDay) - Math.max(first, range.fromDay) + 1
  return Math.round((cost_cents * Math.max(0, inside)) / (last - first + 1))
}
