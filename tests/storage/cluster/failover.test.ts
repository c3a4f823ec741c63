/**
 * Random stories of a site whose Postgres loses its last chapters, while sealed days are in ClickHouse and the process goes
 * on: seals, late hits on days that were moved, moves, and deletions of events among them. Every answer is then that of brute
 * force over what survived, and copies of days that Postgres never had go away.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from '../../support/properties.ts'
import { dropCopies, repeatNotes } from '../../../storage/moved-days/copies.ts'
import { openEngine } from '../../../storage/engine/index.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { randomBytes, seed as seedOfRun } from '../../support/chance.ts'
import { withoutClickhouse } from '../../support/clickhouse.ts'
import { newCluster } from '../../support/engines.ts'
import { isFull, someOf } from '../../support/full.ts'
import { type Losing, losses, settled } from '../../support/losses.ts'
import { Calendar } from '../engine/oracle/oracle/calendar.ts'
import { Oracle } from '../engine/oracle/oracle.ts'
import { always, ask, question } from '../engine/oracle/questions.ts'
import type { Drawn } from '../engine/oracle/random-hits.ts'
import { begin, beginning, end, happen, haveRows, type Living, type Step, step } from '../engine/oracle/stories.ts'

const { FAILOVER_RUNS = isFull ? 3 : 1, FAILOVER_SEED } = process.env
const seed = Number(FAILOVER_SEED ?? seedOfRun)
const HOUR = 3_600_000
/** Everything that is over is in ClickHouse, and nowhere else. */
const away: Step = { what: 'seal', how: { until: 100, least: 0, away: true, hours: 2 } }
/** Copies, but rows as well. */
const sealed: Step = { what: 'seal', how: { until: 100, least: 0, away: false, hours: 2 } }

/** Only the last second is lost: copies that were replaced in it are not deleted yet. */
const atOnce = (one: Step): Step => (one.what === 'seal' ? { ...one, how: { ...one.how, hours: 0 } } : one)

const chapters = fc.array(fc.oneof(step, fc.constantFrom(away, sealed)), { minLength: 2, maxLength: 6 })
const story = fc.record({
  beginning,
  before: chapters,
  lost: chapters,
  after: chapters,
  questions: fc.array(question, { minLength: 4, maxLength: 8 }),
})

/** Apart from the other: what happens to one is not known to it. */
function copyOf(oracle: Oracle): Oracle {
  const copy = structuredClone({ ...Object.fromEntries(Object.entries(oracle).filter(([, value]) => typeof value !== 'function')) })
  const calendar = Object.assign(new Calendar('UTC'), copy.calendar)
  return Object.assign(new Oracle([], 'UTC', oracle.goals), copy, { calendar })
}

/** All copies that have rows in ClickHouse, or notes in Postgres. */
async function copiesOf({ read, cluster }: Store): Promise<{ there: Set<number>; noted: Set<number> }> {
  const rows = await read.selectFrom('clickhouse_copies').select('copy').execute()
  await cluster?.prepare()
  const found = await cluster?.read('select copy from footfall_visits group by copy')
  return { there: new Set(found?.column('copy').values), noted: new Set(rows.map(({ copy }) => copy)) }
}

async function live(store: Store, losing: Losing, drawn: Drawn<typeof story>): Promise<void> {
  // As a report thread reads, in this thread: part of what it needs is counted by ClickHouse.
  const { read, close } = openStore(losing.url, { readonly: true, connections: 1 })
  const engine = openEngine({ ...store, read }, { threads: 0, cacheBytes: 16_000_000, maxFetched: drawn.questions.length % 2 ? 0 : 1_000 })
  const all = async (living: Living) => {
    for (const one of [...always, ...drawn.questions]) await ask(engine, living, one)
  }
  const survives = await begin(store, engine, drawn.beginning)
  for (const one of [away, ...drawn.before]) await happen(survives, one)
  await all(survives)
  await settled(() => losing.keep())
  await settled(() => store.write.selectFrom('sites').select('id').execute())

  const lost: Living = { ...survives, oracle: copyOf(survives.oracle) }
  for (const one of [...drawn.lost, away]) await happen(lost, atOnce(one))
  await all(lost)
  const written = await copiesOf(store)
  await losing.lose()
  const { noted: survived } = await settled(() => copiesOf(store))
  await settled(() => repeatNotes(store))

  const living: Living = { ...survives, now: Math.max(survives.now, lost.now) }
  await all(living)
  for (const one of [...drawn.after, away]) await happen(living, one)
  await all(living)

  const { there, noted } = await copiesOf(store)
  const unknown = [...there].filter(copy => !noted.has(copy))
  assert.deepEqual(unknown, [], 'copies that nobody knows of')
  const rows = await store.read.selectFrom('clickhouse_copies').select('copy').where('drop_at', 'is', null).execute()
  const counted = new Set(rows.map(({ copy }) => copy))
  assert.deepEqual(
    [...written.there].filter(copy => !survived.has(copy) && counted.has(copy)),
    [],
    'no number is given again',
  )
  while ((await dropCopies(store, living.now + 49 * HOUR)) > 0) await setTimeout(50)
  assert.deepEqual((await copiesOf(store)).there, counted, 'those of lost days are deleted')
  await all(living)
  await haveRows(living)
  await all(living)
  await end(living)
  await close()
}

// A normal run has the restore; tests/crash/failover.test.ts has the standby.
for (const [name, start] of someOf(Object.entries(losses).reverse(), 1)) {
  test(`after ${name}, reports over ClickHouse are those of what survived`, {
    skip: withoutClickhouse(),
  }, async t => {
    const stories = fc.sample(story, { seed, numRuns: Number(FAILOVER_RUNS) })
    let losing: Losing | undefined
    let told = 0
    for (const drawn of name.startsWith('a failover') ? stories.slice(0, 1) : stories) {
      losing ??= await start(t)
      await tell(losing, drawn)
      told++
    }
    t.diagnostic(`${told} stories, seed ${seed}`)
  })
}

async function tell(losing: Losing, drawn: Drawn<typeof story>): Promise<void> {
  const store = openStore(losing.url, { connections: 4, cluster: await newCluster(`t_${randomBytes(6).toString('hex')}`) })
  await live(store, losing, drawn).finally(store.close)
}
