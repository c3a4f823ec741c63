/**
 * The job that reclassifies past visits: day by day, with a few visits in each transaction, which also advances the
 * position of the job. So a run that another run has overtaken, or whose job was cancelled, stores nothing more.
 */
import { setImmediate } from 'node:timers/promises'
import { jobsOpen, runJobs } from '../../../runtime/tasks/job.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import type { ArrivalTexts } from '../../../storage/hits/arrivals.ts'
import { channelRestater } from '../../../storage/hits/restate-channels.ts'
import type { Db, Store } from '../../../storage/store.ts'
import type { ChannelApplicationRow } from '../../../storage/tables/channel-rules.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { readChannels } from './site-channels.ts'
import { storedSentence } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Few, so that hits do not wait long for the lock. */
const VISITS_AT_ONCE = 500
const AT_ONCE = 100

type Job = Awaited<ReturnType<typeof openJobs>>[number]
type Position = Pick<ChannelApplicationRow, 'next_day' | 'next_visit' | 'changed'>

/** Ends a run silently: the job was cancelled, another run has it, or the process shuts down. */
class Ended extends Error {}

/** @returns whether it was interrupted */
export async function applyChannels(context: TaskContext): Promise<boolean> {
  const { store, log, now, signal } = context
  await runJobs<Job>(
    signal,
    () => openJobs(store),
    async job => {
      try {
        await apply(context, job)
      } catch (err) {
        if (err instanceof Ended) return
        if (err instanceof StorageUnavailable) throw err // the next run continues
        if (!(await context.isOurs())) return
        log.error({ err, job: job.id }, 'channels could not be applied')
        await openRow(store.write, job)
          .set({ status: 'failed', error: storedSentence(m.error_of_the_service()), finished_at: now() })
          .execute()
      }
    },
  )
  return signal.aborted
}

const openJobs = ({ read }: Store) =>
  read
    .selectFrom('channel_applications as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .selectAll('a')
    .select(['s.number', 's.workspace_id'])
    .where('a.status', 'in', jobsOpen)
    .where('s.deleted_at', 'is', null)
    .orderBy('a.created_at')
    .limit(AT_ONCE)
    .execute()

const openRow = (db: Db, { id }: ChannelApplicationRow) =>
  db.updateTable('channel_applications').where('id', '=', id).where('status', 'in', jobsOpen)

async function apply({ store, now, signal, progress }: TaskContext, job: Job): Promise<void> {
  const restateSome = channelRestater(store)
  const channels = await readChannels(store.read, job.site_id)
  const channelOf = (texts: ArrivalTexts) => channels?.(texts) ?? texts.channel
  await openRow(store.write, job)
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
  let at: Position = job
  for (const [i, { day }] of days.entries()) {
    while (at.next_day <= day) {
      await setImmediate()
      if (signal.aborted) throw new Ended()
      const from = at.next_day === day ? at.next_visit : 0
      at = await store.transaction(async trx => {
        const { changed, next } = await restateSome(trx, { site: job.number, day, from, limit: VISITS_AT_ONCE, channelOf })
        const reached = next === null ? { next_day: day + 1, next_visit: 0 } : { next_day: day, next_visit: next }
        return move(trx, { job, at, to: { ...reached, changed: at.changed + changed } })
      })
    }
    progress(i + 1, days.length)
  }
  const end = { next_day: job.to_day + 1, next_visit: 0, changed: at.changed }
  await move(store.write, { job, at, to: { ...end, status: 'completed', finished_at: now() } })
}

/** @returns the new position @throws Ended if the job is no longer at the old position */
async function move<T extends Position & Partial<ChannelApplicationRow>>(
  db: Db,
  { job, at: { next_day, next_visit }, to }: { job: Job; at: Position; to: T },
): Promise<T> {
  const { numUpdatedRows } = await openRow(db, job)
    .set(to)
    .where('next_day', '=', next_day)
    .where('next_visit', '=', next_visit)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Ended()
  return to
}
