import { task, type TaskContext } from '../../../runtime/task.ts'
import { usage_threshold } from './events.ts'
import { type Month, monthOf } from '../../../storage/month.ts'
import { USAGE_LIMIT } from '../../people/workspaces/index.ts'

/** Percentages of the limit that are announced. */
const marks = [80, 90, 100] as const

export const usage_count = task({
  name: 'usage_count',
  summary: 'Counts the hits of the month where there is a limit.',
  every: 5 * 60_000,
  lease: 5 * 60_000,
  async run(context) {
    if (context.config.of(USAGE_LIMIT) === 0) return
    const month = monthOf(context.now())
    await countDays(context, month)
    const workspaces = await context.store.read
      .selectFrom('usage_days as u')
      .innerJoin('sites as s', 's.number', 'u.site_id')
      .select(['s.workspace_id', ({ fn }) => fn.sum<number>('u.hits').as('hits')])
      .where('u.day', '>=', month.fromDay)
      .where('u.day', '<=', month.toDay)
      .groupBy('s.workspace_id')
      .execute()
    for (const { workspace_id, hits } of workspaces) await note(context, month, workspace_id, hits)
  },
})

/** Counts days again that changed since they were last counted. */
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
    const counted = await store.read
      .selectFrom('visits')
      .select(({ fn, eb }) => fn.sum<number>(eb('pageviews', '+', eb.ref('events'))).as('hits'))
      .where('site_id', '=', site_id)
      .where('day', '=', day)
      .executeTakeFirst()
    const seen = { rev, hits: counted?.hits ?? 0 }
    await store.write
      .insertInto('usage_days')
      .values({ site_id, day, ...seen })
      .onConflict(conflict => conflict.columns(['site_id', 'day']).doUpdateSet(seen))
      .execute()
  }
}

async function note({ store, config, emitIn, now }: TaskContext, { name: month }: Month, workspaceId: string, hits: number): Promise<void> {
  const at = now()
  const limit = config.of(USAGE_LIMIT)
  await store.transaction(async trx => {
    const before = await trx
      .selectFrom('usage_months')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('month', '=', month)
      .executeTakeFirst()
    if (before?.hits === hits) return
    const crossed = marks.filter(mark => mark > (before?.announced ?? 0) && hits * 100 >= limit * mark)
    for (const percent of crossed) {
      await emitIn(trx, at)(usage_threshold, { workspaceId, siteId: null, data: { percent, limit } })
    }
    const seen = { hits, announced: crossed.at(-1) ?? before?.announced ?? 0 }
    await trx
      .insertInto('usage_months')
      .values({ workspace_id: workspaceId, month, ...seen })
      .onConflict(conflict => conflict.columns(['workspace_id', 'month']).doUpdateSet(seen))
      .execute()
  })
}
