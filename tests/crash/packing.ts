/** A process that packs all sealed days, and kills itself before its n-th statement. */
import { openEngine } from '../../storage/engine/index.ts'
import { openStore } from '../../storage/store.ts'
import { killAt } from './kill-at.ts'

void run()

async function run(): Promise<void> {
  const [url = '', at = '', statement = ''] = process.argv.slice(2)
  const store = openStore(url, { connections: 3 })
  const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
  const failed = (_: unknown, error: unknown) => {
    throw error
  }
  killAt(Number(statement))
  while (
    await engine.packDays({
      now: () => Number(at),
      graceMs: 0,
      signal: new AbortController().signal,
      failed,
      runs: { afterMs: 0, leastDays: 1 },
    })
  ) {
    /* there is more */
  }
  await engine.close()
  await store.close()
}
