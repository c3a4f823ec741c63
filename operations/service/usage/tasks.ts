import { hitsOfDay } from '../../../storage/hits/first-and-last-visit.ts'
import { task, type TaskContext } from '../../../runtime/table/task.ts'
import { usage_threshold } from './events.ts'
import { type Month, monthOf } from '../../../storage/calendar/month.ts'
import { limitsOf, limitsOfAll } from '../../people/plans/index.ts'

/** Percentages of the limit that are announced. */
const announcedPercents = [80, 90, 100] as const

export const usage_count = task({
  name: 'usage_count',
  summary: 'Counts the hits of the month, and reports when they come near the limit of the plan',
  every: 5 * 60_000,
  lease: 5 * 60_000,
  async run(context) {
    const month = monthOf(context.now())
    await countDays(context, month)
    const workspaces = await context.store.read
      .selectFrom('usage_days as u')
      .innerJoin('sites as s', 's.number', 'u.site_id')
      .innerJoin('workspaces as w', 'w.id', 's.workspace_id') // a deleted one still has sites until they are purged
      .select(['s.workspace_id', ({ fn }) => fn.sum<number>('u.hits').as('hits')])
      .where('u.day', '>=', month.fromDay)
      .where('u.day', '<=', month.toDay)
      .groupBy('s.workspace_id')
      .execute()
    const { store, config } = context
    const known = await store.read.selectFrom('usage_months').selectAll().where('month', '=', month.name).execute()
    const byWorkspace = new Map(known.map(row => [row.workspace_id, row]))
    const plans = await limitsOfAll(store.read, config)
    for (const { workspace_id, hits } of workspaces) {
      const limit = plans(workspace_id).limits.hits_month
      const before = byWorkspace.get(workspace_id)
      if (before?.hits !== hits || before.hits_limit !== limit) await recordUsage(context, month, { workspaceId: workspace_id, hits })
    }
  },
})

/** Counts the days that changed since their last count. */
async function countDays({ store, signal }: TaskContext, { fromDay, toDay }: Month): Promise<void> {
  const changed = await store.read
    .selectFrom('site_days as d')
    .leftJoin('usage_days as u', join => join.onRef('u.site_id', '=', 'd.site_id').onRef('u.day', '=', 'd.day'))
    .select(['d.site_id', 'd.day', 'd.rev'])
    .where('d.day', '>=', fromDay)
    .where('d.day', '<=', toDay)
    .where(({ or, eb }) => or([eb('u.rev', 'is', null), eb('u.rev', '<>', eb.ref('d.rev'))]))
    .execute()
  for (const { site_id, day, rev } of changed) {
    if (signal.aborted) return
    const count = { rev, hits: await hitsOfDay(store.read, site_id, day) }
    await store.write
      .insertInto('usage_days')
      .values({ site_id, day, ...count })
      .onConflict(conflict => conflict.columns(['site_id', 'day']).doUpdateSet(count))
      .execute()
  }
}

interface Usage {
  readonly workspaceId: string
  readonly hits: number
}

/** Stores the hits of a workspace in the month, and announces each percentage of its limit once. */
async function recordUsage(
  { store, config, emitIn, now }: TaskContext,
  { name: month }: Month,
  { workspaceId, hits }: Usage,
): Promise<void> {
  const at = now()
  await store.transaction(async trx => {
    // The write locks the row, so that two runs at once announce a percentage only once.
    const before = await trx
      .insertInto('usage_months')
      .values({ workspace_id: workspaceId, month, hits: 0, announced: 0, hits_limit: null })
      .onConflict(conflict => conflict.columns(['workspace_id', 'month']).doUpdateSet({ month }))
      .returningAll()
      .executeTakeFirstOrThrow()
    const { hits_month: limit } = await limitsOf(trx, config, workspaceId) // the plan may be another one since the days were counted
    // A new limit changes the percentages, so they are announced again.
    const announced = before.hits_limit === limit ? before.announced : 0
    const crossed = limit === null ? [] : announcedPercents.filter(percent => percent > announced && hits * 100 >= limit * percent)
    for (const percent of crossed) {
      await emitIn(trx, at)(usage_threshold, { workspaceId, siteId: null, data: { percent, limit: limit ?? 0 } })
    }
    const usage = { hits, announced: crossed.at(-1) ?? announced, hits_limit: limit }
    await trx.updateTable('usage_months').set(usage).where('workspace_id', '=', workspaceId).where('month', '=', month).execute()
  })
}
