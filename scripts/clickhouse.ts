/** `npm run clickhouse -- fill|check|leave`: moves sealed days to ClickHouse, compares them, and moves them back. */
import { clusterDays } from '../storage/engine/index.ts'
import type { Store } from '../storage/store.ts'
import { dropCopies } from '../storage/moved-days/copies.ts'
import { commandLine } from './command-line.ts'
import { print, report, withProgressBar } from './days-command.ts'
import { command, withDatabase } from './machine.ts'
import { HOUR_MS } from '../storage/values/durations.ts'

const program = commandLine('clickhouse').description('Sealed days in ClickHouse (docs/clickhouse.md); CLICKHOUSE_URL says where it is.')

/** @throws Error without a cluster */
async function onCluster<T>(store: Store, how: Parameters<typeof withProgressBar<T>>[1]): Promise<T> {
  if (!store.cluster) throw new Error('CLICKHOUSE_URL is not set: it says where the cluster is')
  await store.cluster.prepare()
  return withProgressBar(store, how)
}

program
  .command('fill')
  .description('copies sealed days to ClickHouse, oldest first, and merges them, while the service runs; go on with the same command')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) => {
        print(`${await onCluster(store, { now, run: (await clusterDays()).fillCluster })} days copied`)
        if (process.exitCode === 1) return
        const advice = await onCluster(store, { now, run: (await clusterDays()).mergeCluster, what: 'months merged' })
        if (advice !== null) print(advice)
      }),
    ),
  )

program
  .command('check')
  .description('compares what is in ClickHouse with the database')
  .option('--days <number>', 'number of days that are compared in full', '20')
  .action(({ days }: { days: string }) =>
    command(config =>
      withDatabase(config, async (store, now) => {
        if (!/^\d{1,6}$/.test(days)) throw new Error('--days must be a whole number')
        const { checkCluster } = await clusterDays()
        await report(store, await onCluster(store, { now, run: (store, work) => checkCluster(store, Number(days), work) }))
      }),
    ),
  )

program
  .command('leave')
  .description('moves everything back into the database; stop the service first, then start it without CLICKHOUSE_URL')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) => {
        print(`${await onCluster(store, { now, run: (await clusterDays()).leaveCluster })} days moved back`)
        const afterAll = now() + 48 * HOUR_MS // no process reads them any more
        await dropCopies(store, afterAll, 100_000)
        print('What is left in ClickHouse is being deleted; the service can be started without CLICKHOUSE_URL.')
      }),
    ),
  )

export const run = (): Promise<unknown> => program.parseAsync()
