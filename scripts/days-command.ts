/** Common parts of the commands that work on sealed days, one after another. */
import type { Difference, Working } from '../storage/engine/index.ts'
import { dateOf } from '../storage/calendar/zones.ts'
import type { Store } from '../storage/store.ts'
import { openProgress } from './progress.ts'

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Shows a progress bar while `run` works. A signal ends `run` after the current day, and the next command continues there. */
export async function withProgressBar<T>(
  store: Store,
  { now, run, what = 'days' }: { now: () => number; run: (store: Store, working: Working) => Promise<T>; what?: string | undefined },
): Promise<T> {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const bar = openProgress()
  const progress = (done: number, total: number) => bar.show(total === 0 ? 1 : done / total, `${done} of ${total} ${what}`)
  const result = await run(store, { now, signal: stop.signal, progress })
  bar.end()
  if (stop.signal.aborted) process.exitCode = 1
  return result
}

const MAX_SHOWN = 100

/** Lists the differences that a check has found. If there is any, the exit code is 1. */
export async function report(store: Store, { days, different }: { days: number; different: readonly Difference[] }): Promise<void> {
  const sites = await store.read.selectFrom('sites').select(['number', 'domain']).execute()
  const domains = new Map(sites.map(({ number, domain }) => [number, domain]))
  for (const { site, day, what } of different.slice(0, MAX_SHOWN)) print(`${domains.get(site) ?? site} ${dateOf(day)}: ${what}`)
  print(`${days} days compared, ${different.length} differences`)
  if (different.length > 0) process.exitCode = 1
}
