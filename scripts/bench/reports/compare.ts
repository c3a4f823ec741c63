/** Runs every query on our engine and on DuckDB in turn, both warm; takes the median of the ratios. First what they found must agree. */
import type { ClusterSettings } from '../../../storage/cluster/cluster.ts'
import { type Answer, type Engine, openEngine, type Query } from '../../../storage/engine/index.ts'
import { openStore } from '../../../storage/store.ts'
import { median } from '../load.ts'
import { openDuck } from './duck.ts'
import type { Question } from './ask.ts'
import { questions as allQuestions } from './questions.ts'

export const SITE = 1
export const askOurs = (engine: Engine, { query }: Question, sites: Sites = { site: SITE }): Promise<Answer> =>
  engine.query({ ...sites, ...query })
/** The site, or the sites of a group. */
type Sites = Pick<Query, 'site' | 'members'>

export interface Compared {
  readonly name: string
  readonly bar: number
  /** Median ms. */
  readonly ours: number
  readonly duck: number
  readonly ratio: number
  /** The least CPU time of each over all its threads, ms: other work on the machine changes it less than the time that passes. */
  readonly cpu: { readonly ours: number; readonly duck: number }
  /** The ratio when each runs 20 times in a row; null for slow queries. */
  readonly inARow: number | null
}

const ROW = 20
const LONG_MS = 30

/** A query runs `times` times or for `seconds`, whichever ends first, but at least three times. */
export interface Effort {
  readonly times: number
  readonly seconds: number
  readonly cacheMb: number
}

interface Over {
  readonly questions?: readonly Question[]
  readonly sites?: Sites | undefined
  readonly cluster?: ClusterSettings | undefined
  /** As in `EngineOptions`. */
  readonly maxFetched?: number
}

export async function* compare(
  url: string,
  { duckFile, effort: { times, seconds, cacheMb } }: { duckFile: string; effort: Effort },
  { questions = allQuestions, sites, cluster, maxFetched }: Over = {},
): AsyncGenerator<Compared> {
  const store = openStore(url, { readonly: true, connections: 1, cluster })
  const engine = openEngine(store, { threads: 0, cacheBytes: cacheMb * 1_048_576, ...(maxFetched !== undefined && { maxFetched }) })
  const duck = await openDuck(duckFile)
  // A running service has answered other queries before, so shared data is warm.
  for (const question of questions) {
    const answer = await askOurs(engine, question, sites)
    question.agrees?.(answer, await duck.ask(question.duck))
  }
  for (const question of questions) {
    const ours: number[] = []
    const theirs: number[] = []
    const cpu = { ours: Infinity, duck: Infinity }
    const ask = async () => {
      const a = await timed(() => askOurs(engine, question, sites))
      const b = await timed(() => duck.ask(question.duck))
      ;[cpu.ours, cpu.duck] = [Math.min(cpu.ours, a.cpu), Math.min(cpu.duck, b.cpu)]
      return [a.ms, b.ms] as const
    }
    // Warm up: data in memory, code compiled.
    for (let began = performance.now(), i = 0; i < 2 || performance.now() - began < 2_000; i++) await ask()
    for (const began = performance.now(); ours.length < 3 || (ours.length < times && performance.now() - began < seconds * 1_000); ) {
      const [a, b] = await ask()
      ours.push(a)
      theirs.push(b)
    }
    const { name, bar } = question
    const ratio = median(ours.map((ms, i) => ms / (theirs[i] ?? Number.NaN)))
    const inRow = async (one: () => Promise<unknown>) => {
      const row: number[] = []
      for (let i = 0; i < ROW; i++) row.push((await timed(one)).ms)
      return median(row)
    }
    const rows: number[] = []
    for (let i = 0; i < ROW && median(theirs) < LONG_MS; i++) {
      rows.push((await inRow(() => askOurs(engine, question, sites))) / (await inRow(() => duck.ask(question.duck))))
    }
    yield { name, bar, ours: median(ours), duck: median(theirs), ratio, cpu, inARow: rows.length > 0 ? median(rows) : null }
  }
  duck.close()
  await store.close()
}

async function timed(run: () => Promise<unknown>): Promise<{ ms: number; cpu: number }> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  await run()
  const { user, system } = process.cpuUsage(before)
  return { ms: performance.now() - began, cpu: (user + system) / 1_000 }
}
