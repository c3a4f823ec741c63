/** Counts visits of people by page, and visits that AI assistants sent. */
import type { Condition, Engine } from '../stats/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

const MAX_PAGES = 1_000

interface Range {
  readonly from: number
  readonly to: number
  /** Epoch ms. */
  readonly start: number
  readonly end: number
}

export interface PageVisits {
  readonly visits: number
  readonly aiVisits: number
}

export const AI = 'AI Assistants'

export async function visitsOfPages(engine: Engine, site: LiveSite, range: Range): Promise<ReadonlyMap<string, PageVisits>> {
  const [all, ai] = [await pagesOf(engine, { site, range, where: [] }), await pagesOf(engine, { site, range, where: fromChannel(AI) })]
  return new Map([...all].map(([path, visits]) => [path, { visits, aiVisits: ai.get(path) ?? 0 }]))
}

export const fromChannel = (channel: string): Condition[] => [
  { dimension: 'channel', operator: 'is', values: [channel], pointer: '/channel' },
]

async function pagesOf(
  engine: Engine,
  { site: { number }, range: { from, to, start, end }, where }: { site: LiveSite; range: Range; where: readonly Condition[] },
) {
  const { rows } = await engine.query({
    site: number,
    where,
    goals: [],
    asked: {
      report: 'breakdown',
      dimension: 'page',
      span: { from: start, to: end, fromDay: from, toDay: to, whole: true },
      compared: null,
      sort: 'visits',
      offset: 0,
      limit: MAX_PAGES,
    },
  })
  return new Map(rows.map(({ value, sums }) => [value, sums.visits]))
}
