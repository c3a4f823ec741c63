/** A process that stores late hits and seals days in turns, until it kills itself before its n-th statement. */
import { randomBytes } from 'node:crypto'
import { openEngine } from '../../storage/engine/index.ts'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { openStore } from '../../storage/store.ts'
import { hit } from '../storage/engine/traffic.ts'
import { chanceOf } from '../support/chance.ts'
import { killAt } from './kill-at.ts'

const [url = '', number = '', at = '', from = '', statement = ''] = process.argv.slice(2)
const site = { number: Number(number), timezone: 'UTC' }
const now = () => Number(at)
const store = openStore(url, { connections: 3 })
const hits = openHitStore(store, { now, randomBytes })
const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
const failed = (_: unknown, error: unknown) => {
  throw error
}

const chance = chanceOf(`sealing ${from}`)
killAt(Number(statement))
void run()

async function run(): Promise<void> {
  for (let i = Number(from); ; i++) {
    const late = Array.from({ length: 4 }, (_, k) =>
      hit(site, {
        at: now() - chance.int(60_000, 45 * 3_600_000),
        who: `10.0.0.${chance.int(0, 60)}`,
        page: `/${i}-${k}`,
        revenue: 0,
      }),
    )
    const outcomes = await hits.append(late)
    process.stdout.write(`${outcomes.filter(outcome => outcome.stored).length}\n`)
    await engine.sealDays({ now, signal: new AbortController().signal, minVisitors: 0, failed })
  }
}
