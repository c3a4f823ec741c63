/** The job that gives visits of the past their channels: day by day, a few visits in each transaction. */
import { setImmediate } from 'node:timers/promises'
import type { TaskContext } from '../../../runtime/task.ts'
import { type ArrivalTexts, channelRestater } from '../../../storage/hits/restate-channels.ts'
import type { Db } from '../../../storage/store.ts'
import type { ChannelApplicationRow } from '../../../storage/tables/channel-rules.ts'
import { readChannels } from './site-channels.ts'

/** Few enough that hits do not wait long. */
const VISITS_AT_ONCE = 500

/** @returns whether it was interrupted */
export async function applyChannels(context: TaskContext): Promise<boolean> {
  const { store, log, now } = context
  const jobs = await store.read
    .selectFrom('channel_applications as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .selectAll('a')
    .select('s.number')
    .where('a.status', 'in', ['pending', 'running'])
    .where('s.deleted_at', 'is', null)
    .orderBy('a.created_at')
    .execute()
  for (const job of jobs) {
    try {
      if (!(await apply(context, job))) return true
    } catch (err) {
      log.error({ err, job: job.id }, 'channels could not be applied')
      await rowOf(store.write, job)
        .set({ status: 'failed', error: 'An error of the service; ask for it again.', finished_at: now() })
        .execute()
    }
  }
  return false
}

const rowOf = (db: Db, { id }: ChannelApplicationRow) => db.updateTable('channel_applications').where('id', '=', id)

async function apply({ store, now, signal, progress }: TaskContext, job: ChannelApplicationRow & { number: number }): Promise<boolean> {
  const restateSome = channelRestater(store)
  const channels = await readChannels(store.read, job.site_id)
  const channelOf = (texts: ArrivalTexts) => channels?.(texts) ?? texts.channel
  await rowOf(store.write, job)
    .set({ status: 'running', started_at: job.started_at ?? now() })
    .execute()
  const days = await store.read
    .selectFrom('site_days')
    .select('day')
    .where('site_id', '=', job.number)
    .where('day', '>=', job.next_day)
    .where('day', '<=', job.to_day)
    .orderBy('day')
    .execute()
  for (const [i, { day }] of days.entries()) {
    let from: number | null = day === job.next_day ? job.next_visit : 0
    while (from !== null) {
      await setImmediate()
      if (signal.aborted) return false
      const start = from
      from = await store.transaction(async trx => {
        const { changed, next } = await restateSome(trx, { site: job.number, day, from: start }, VISITS_AT_ONCE, channelOf)
        const at = next === null ? { next_day: day + 1, next_visit: 0 } : { next_day: day, next_visit: next }
        await rowOf(trx, job)
          .set(({ eb }) => ({ ...at, changed: eb('changed', '+', changed) }))
          .execute()
        return next
      })
    }
    progress(i + 1, days.length)
  }
  await rowOf(store.write, job)
    .set({ status: 'completed', next_day: job.to_day + 1, finished_at: now() })
    .execute()
  return true
}
