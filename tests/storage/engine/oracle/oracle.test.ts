/**
 * Stories of random sites: the engine's reports after each step, against brute force over the raw hits.
 * `ORACLE_RUNS=2000` for a long run, `ORACLE_SEED` and `ORACLE_PATH` to repeat one.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from '../../../support/properties.ts'
import { type Engine, openEngine } from '../../../../storage/engine/index.ts'
import { visitsAddUp } from '../../../reports/events/visits.ts'
import { withoutClickhouse } from '../../../support/clickhouse.ts'
import { type Engine as EngineOfTests, engines, isThorough, onEachEngine, postgresAndClickhouse } from '../../../support/engines.ts'
import { isFull } from '../../../support/full.ts'
import { always, ask, question } from './questions.ts'
import type { Drawn } from './random-hits.ts'
import { begin, beginning, end, happen, haveRows, step, stepOf } from './stories.ts'

const { ORACLE_RUNS, ORACLE_SEED, ORACLE_PATH } = process.env
/** Postgres takes three times as long for a story. */
const runsOn = ({ name }: { readonly name: string }) => Number(ORACLE_RUNS ?? (isFull ? 40 : name === 'sqlite' ? 7 : 2))
const SHOWN_BY_MS = ORACLE_RUNS ? Infinity : 1_000_000

const chapterOf = (what: typeof step) => fc.record({ step: what, sealed: fc.boolean(), questions: fc.array(question, { maxLength: 4 }) })
type Chapter = Drawn<ReturnType<typeof chapterOf>>

const story = fc.record({
  beginning,
  chapters: fc.array(chapterOf(step), { minLength: 1, maxLength: 12 }),
  /** Whether caches are emptied all the time, days read three rows at a time, and scans done by a cluster that has days. */
  crowded: fc.boolean(),
})

/** A site moves to another zone once or twice, and its days are cut by it. In between, some of them are sealed, packed or in a cluster. */
const moves = fc.record({
  beginning,
  chapters: fc
    .array(fc.tuple(chapterOf(step), chapterOf(stepOf('move')), chapterOf(step), chapterOf(stepOf('recut')), chapterOf(step)), {
      minLength: 1,
      maxLength: 2,
    })
    .map(all => all.flat()),
  crowded: fc.boolean(),
})

function suite(engine: EngineOfTests, runs: number, runsOfMoves: number): void {
  let database: Awaited<ReturnType<typeof engine.create>>
  let roomy: Engine
  let tight: Engine
  before(async () => {
    database = await engine.create()
    roomy = openEngine(database.store, { threads: 0, cacheBytes: 16_000_000 })
    tight = openEngine(database.store, { threads: 0, cacheBytes: 100_000, rowsAtOnce: 3, maxFetched: 0 })
  })
  after(() => database.drop())

  /** Runs every report twice, the second time with warm caches. */
  const twice = (analytics: Engine): Engine => ({
    ...analytics,
    async query(query) {
      const once = () => analytics.query(query)
      const found = await once()
      assert.deepEqual(await once(), found, 'asked once more')
      return found
    },
  })

  async function tell({
    beginning: first,
    chapters,
    crowded,
  }: {
    beginning: Drawn<typeof beginning>
    chapters: readonly Chapter[]
    crowded: boolean
  }) {
    const { store } = database
    const analytics = crowded ? tight : roomy
    const asker = twice(analytics)
    const living = await begin(store, analytics, first)
    for (const one of always) await ask(asker, living, one)
    for (const { step: what, sealed, questions } of chapters) {
      await happen(living, what)
      if (sealed) await happen(living, { what: 'seal', how: { until: 100, least: 0, away: true, hours: 2 } })
      for (const one of [...always, ...questions]) {
        await ask(asker, living, one)
        asked++
      }
    }
    await haveRows(living)
    await visitsAddUp(store, living.site.number, { attention: true })
    await end(living)
  }
  let asked = 0

  for (const [title, told, numRuns] of [
    ['every answer, whatever happened', story, runs],
    ['every answer, before, while and after days are cut by another zone', moves, runsOfMoves],
  ] as const)
    test(title, { skip: numRuns === 0 }, async () => {
      asked = 0
      await fc.assert(fc.asyncProperty(told, tell), {
        numRuns,
        includeErrorInReport: true,
        interruptAfterTimeLimit: SHOWN_BY_MS,
        markInterruptAsFailure: true,
        ...(ORACLE_SEED ? { seed: Number(ORACLE_SEED) } : {}),
        ...(ORACLE_PATH ? { path: ORACLE_PATH } : {}),
      })
      console.log(`${asked} answers`)
    })
}

onEachEngine('stories of sites against brute force', engine =>
  suite(engine, runsOn(engine), ORACLE_RUNS ? Number(ORACLE_RUNS) : isFull ? 20 : isThorough(engine) ? 2 : 1),
)

const hasClickhouse = engines.some(({ hasCluster }) => hasCluster)
describe('stories of sites with ClickHouse against brute force', { skip: hasClickhouse || withoutClickhouse() }, () =>
  suite(postgresAndClickhouse, isFull ? 10 : 0, isFull ? 10 : 1),
)
