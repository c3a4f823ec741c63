/** A process that cuts the days of a site at the midnights of another zone, and kills itself before its n-th statement. */
import { recutSite } from '../../storage/hits/recut-site.ts'
import { openStore } from '../../storage/store.ts'
import { killAt } from './kill-at.ts'

void run()

async function run(): Promise<void> {
  const [url = '', number = '', zone = '', at = '', statement = ''] = process.argv.slice(2)
  const store = openStore(url, { connections: 3 })
  const cutting = { site: Number(number), zone, before: Number(at), now: Number(at), signal: new AbortController().signal, visitsAtOnce: 7 }
  killAt(Number(statement))
  await recutSite(store, { ...cutting, mayCut: async () => true, reached: async () => {}, finished: async () => {} })
  await store.close()
}
