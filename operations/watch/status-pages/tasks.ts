import { task, type TaskContext } from '../../../runtime/table/task.ts'
import type { Trx } from '../../../storage/store.ts'
import { automaticOver, openAutomatic, pagesWithNewOutages, resolveAutomatic } from './automatic.ts'
import { changedByClock, followClock } from './clock.ts'
import { queueMessages, queue, sendMessages } from './subscriber-messages.ts'
import type { UpdateContext } from './updates.ts'
import { MINUTE_MS, SECOND_MS } from '../../../storage/values/durations.ts'

/** Changes each of these records in a transaction of its own. */
async function each(
  found: readonly string[],
  { store, signal, now, config, newId }: TaskContext,
  change: (context: UpdateContext & { readonly db: Trx }, id: string) => Promise<void>,
): Promise<void> {
  for (const id of found) if (!signal.aborted) await store.transaction(db => change({ db, now: now(), config, newId }, id))
}

export const status_incidents_watch = task({
  name: 'status_incidents_watch',
  summary: 'Opens and resolves automatic incidents of status pages, and begins and ends scheduled maintenance',
  every: 10 * SECOND_MS,
  lease: MINUTE_MS,
  async run(context) {
    const reading = { db: context.store.read, now: context.now() }
    await each(await changedByClock(reading), context, followClock)
    await each(await automaticOver(reading), context, resolveAutomatic)
    await each(await pagesWithNewOutages(reading), context, openAutomatic)
  },
})

export const status_messages_make = task({
  name: 'status_messages_make',
  summary: 'Queues the messages of an update for the subscribers of a status page',
  every: 10 * SECOND_MS,
  lease: MINUTE_MS,
  run: queueMessages,
})

export const status_messages_send = task({
  name: 'status_messages_send',
  summary: 'Sends mails to the subscribers of status pages',
  every: 10 * SECOND_MS,
  lease: MINUTE_MS,
  shared: true,
  queue,
  run: async context => ({ more: await sendMessages(context) }),
})
