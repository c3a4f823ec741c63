/** `npm run clickhouse -- fill|check|leave`: moves closed days to ClickHouse, compares them, and moves them back. */
import { clusterDays, type Working } from '../storage/engine/index.ts'
import type { Store } from '../storage/store.ts'
import { dateOf } from '../storage/calendar/zones.ts'
import { dropCopies } from '../storage/moved-days/copies.ts'
import { commandLine } from './command-line.ts'
import { command, withDatabase } from './machine.ts'
import { openProgress } from './progress.ts'

const program = commandLine('clickhouse').description('Closed days in ClickHouse (docs/clickhouse.md); CLICKHOUSE_URL says where it is.')
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs with a bar; a signal ends it after the day that it is at, and the next run goes on from there. */
async function working<T>(
  store: Store,
  { now, run, what = 'days' }: { now: () => number; run: (store: Store, working: Working) => Promise<T>; what?: string | undefined },
): Promise<T> {
  if (!store.cluster) throw new Error('CLICKHOUSE_URL is not set: it says where the cluster is')
  await store.cluster.prepare()
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const bar = openProgress()
  const progress = (done: number, total: number) => bar.show(total === 0 ? 1 : done / total, `${done} of ${total} ${what}`)
  const result = await run(store, { now, signal: stop.signal, progress })
  bar.end()
  if (stop.signal.aborted) process.exitCode = 1
  return result
}

program
  .command('fill')
  .description('copies sealed days to ClickHouse, oldest first, and merges them, while the service runs; go on with the same command')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) => {
        say(`${await working(store, { now, run: (await clusterDays()).fillCluster })} days copied`)
        if (process.exitCode === 1) return
        const advice = await working(store, { now, run: (await clusterDays()).mergeCluster, what: 'months merged' })
        if (advice !== null) say(advice)
      }),
    ),
  )

program
  .command('check')
  .description('compares what is in ClickHouse with the database')
  .option('--days <number>', 'so many days are compared in full', '20')
  .action(({ days }: { days: string }) =>
    command(config =>
      withDatabase(config, async (store, now) => {
        if (!/^\d{1,6}$/.test(days)) throw new Error('--days must be a whole number')
        const { checkCluster } = await clusterDays()
        const { days: seen, different } = await working(store, { now, run: (store, work) => checkCluster(store, Number(days), work) })
        const { rows } = { rows: await store.read.selectFrom('sites').select(['number', 'domain']).execute() }
        const domains = new Map(rows.map(({ number, domain }) => [number, domain]))
        for (const { site, day, what } of different.slice(0, 100)) say(`${domains.get(site) ?? site} ${dateOf(day)}: ${what}`)
        say(`${seen} days compared, ${different.length} differences`)
        if (different.length > 0) process.exitCode = 1
      }),
    ),
  )

program
  .command('leave')
  .description('moves everything back into the database; stop the service first, then start it without CLICKHOUSE_URL')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) => {
        say(`${await working(store, { now, run: (await clusterDays()).leaveCluster })} days moved back`)
        const afterAll = now() + 48 * 3_600_000 // no process reads them any more
        await dropCopies(store, afterAll, 100_000)
        say('What is left in ClickHouse is being deleted; the service can be started without CLICKHOUSE_URL.')
      }),
    ),
  )

export const run = (): Promise<unknown> => program.parseAsync()
