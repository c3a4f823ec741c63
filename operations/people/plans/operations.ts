import { list, operation } from '../../../runtime/table/operation.ts'
import { iso } from '../../../runtime/table/schema.ts'
import { workspace } from '../workspaces/records.ts'
import { planOf, plansOf } from './plan-of.ts'
import { PlanRecord, toPlan, WorkspacePlan } from './records.ts'
import { hitsByDay, hitsUsed, membersUsed, questionsUsed, sitesUsed } from './used.ts'

export const plans_list = list({
  route: 'GET /plans',
  summary: 'List the plans: prices and limits',
  access: 'public',
  effect: 'read',
  input: {},
  of: PlanRecord,
  examples: [{ input: {} }],
  async run({ config, page }) {
    const all = plansOf(config).map((plan, i) => ({ ...toPlan(plan), default: i === 0 }))
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
})

export const plans_get = operation({
  route: 'GET /workspaces/{workspace_id}/plan',
  summary: 'Get the plan and usage of a workspace',
  title: 'Plan and use',
  place: 'plan',
  access: 'member',
  on: workspace,
  effect: 'read',
  input: {},
  output: WorkspacePlan,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, config, workspace, now }) {
    const { plan, since, blockedFrom } = await planOf(db, config, workspace.id)
    const [hits_month, sites, members, ai_questions, hits_by_day] = await Promise.all([
      hitsUsed(db, workspace.id, now),
      sitesUsed(db, workspace.id),
      membersUsed(db, workspace.id),
      questionsUsed(db, workspace.id, now),
      hitsByDay(db, workspace.id, now),
    ])
    return {
      ...toPlan(plan),
      since: iso(since),
      used: { hits_month, sites, members, ai_questions },
      hits_by_day,
      creates_refused_from: iso(blockedFrom),
    }
  },
})
