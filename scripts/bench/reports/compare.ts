/** Every question to ours (the engine alone) and to DuckDB in turn, both warm; the median of the ratios. */
import { answer } from '../../../operations/analytics/engine/answer.ts'
import { openSources, type Sources } from '../../../operations/analytics/engine/store-source.ts'
import { openStore } from '../../../storage/store.ts'
import { median } from '../load.ts'
import { openDuck } from './duck.ts'
import { type Question, questions } from './questions.ts'

export const SITE = 1
export const askOurs = (sources: Sources, { query }: Question): Promise<unknown> =>
  sources.at(SITE, source => answer({ site: SITE, ...query }, source))

export interface Compared {
  readonly name: string
  readonly bar: number
  /** Median ms. */
  readonly ours: number
  readonly duck: number
  readonly ratio: number
}

export async function compare(url: string, duckFile: string, { times, cacheMb }: { times: number; cacheMb: number }): Promise<Compared[]> {
  const store = openStore(url, { readonly: true, connections: 1 })
  const sources = openSources(store, cacheMb * 1_048_576, () => performance.now())
  const duck = await openDuck(duckFile)
  const found: Compared[] = []
  for (const question of questions) {
    const ours: number[] = []
    const theirs: number[] = []
    for (let i = -2; i < times; i++) {
      const [a, b] = [await timed(() => askOurs(sources, question)), await timed(() => duck.ask(question.duck))]
      if (i < 0) continue // warming up
      ours.push(a)
      theirs.push(b)
    }
    const { name, bar } = question
    const ratio = median(ours.map((ms, i) => ms / (theirs[i] ?? Number.NaN)))
    found.push({ name, bar, ours: median(ours), duck: median(theirs), ratio })
  }
  duck.close()
  await store.close()
  return found
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}
