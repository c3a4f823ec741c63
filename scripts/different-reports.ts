/** Compares reports of two databases: totals, pages and sources of the largest sites, over all their days and the last thirty. */
import { isDeepStrictEqual } from 'node:util'
import { type Engine, openEngine, type Query } from '../storage/engine/index.ts'
import type { Store } from '../storage/store.ts'

const MAX_SITES = 5
const LAST_DAYS = 30
/** No further report begins after this time, because changes wait meanwhile. */
const MAX_MS = 3_000

export interface ReportComparison {
  /** @param isPaused whether changes wait meanwhile @returns the sites whose reports differ */
  compare(isPaused: boolean): Promise<string[]>
  close(): Promise<void>
}

/** Both engines keep the days that they have read, so that a second comparison reads only those that have changed. */
export function openReportComparison(source: Store, target: Store): ReportComparison {
  const [left, right] = [openEngine(source, { threads: 0 }), openEngine(target, { threads: 0 })]
  return {
    async compare(isPaused) {
      const began = performance.now()
      const different: string[] = []
      for (const { id, number, spans } of await largestSites(source))
        for (const span of spans) {
          if (isPaused && performance.now() - began > MAX_MS) return different
          if (!isDeepStrictEqual(await figures(left, number, span), await figures(right, number, span))) different.push(id)
        }
      return different
    },
    async close() {
      await left.close()
      await right.close()
    },
  }
}

async function largestSites({ read }: Store) {
  const sites = await read
    .selectFrom('site_days')
    .innerJoin('sites', 'sites.number', 'site_days.site_id')
    .select(['sites.number', 'sites.id'])
    .select(eb => [
      eb.fn.min('day').as('first'),
      eb.fn.max('day').as('last'),
      eb.fn.min('starts_at').as('from'),
      eb.fn.max('ends_at').as('to'),
    ])
    .groupBy(['sites.number', 'sites.id'])
    .orderBy(eb => eb.fn.sum('next_visitor'), 'desc')
    .limit(MAX_SITES)
    .execute()
  return sites.map(({ number, id, first, last, from, to }) => {
    const whole = { from: Number(from), to: Number(to), toDay: last, whole: true }
    return { number, id, spans: [Math.max(first, last - LAST_DAYS), first].map(fromDay => ({ ...whole, fromDay })) }
  })
}

type Span = { readonly from: number; readonly to: number; readonly fromDay: number; readonly toDay: number; readonly whole: boolean }

function figures(engine: Engine, site: number, span: Span) {
  const order = { sort: 'visitors', offset: 0, limit: 100 } as const
  const each = [
    { report: 'totals', series: [[span]] },
    ...['page', 'source', 'country'].map(dimension => ({ report: 'breakdown', dimension, span, compared: null, ...order }) as const),
  ] as const
  const query: Query & { readonly asked: { readonly report: 'several' } } = {
    site,
    where: [],
    goals: [],
    asked: { report: 'several', each },
  }
  return engine.query(query)
}
