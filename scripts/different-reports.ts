/** Compares reports of two databases: totals, pages and sources of the largest sites, over all their days and the last thirty. */
import { isDeepStrictEqual } from 'node:util'
import { type Engine, openEngine, type Query } from '../storage/engine/index.ts'
import type { Store } from '../storage/store.ts'

const MAX_SITES = 5
const LAST_DAYS = 30
/** No further report begins after this time, because changes wait meanwhile. */
const MAX_MS = 5_000

/** @returns the domains of the sites whose reports differ, each with the dates */
export async function differentReports(source: Store, target: Store): Promise<string[]> {
  const sites = await source.read
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
  const [left, right] = [openEngine(source, { threads: 0 }), openEngine(target, { threads: 0 })]
  const began = performance.now()
  const different: string[] = []
  try {
    for (const { number, id, first, last, from, to } of sites)
      for (const fromDay of new Set([Math.max(first, last - LAST_DAYS), first])) {
        if (performance.now() - began > MAX_MS) return different
        const span = { from: Number(from), to: Number(to), fromDay, toDay: last, whole: true }
        if (!isDeepStrictEqual(await figures(left, number, span), await figures(right, number, span))) different.push(`those of ${id}`)
      }
    return different
  } finally {
    await left.close()
    await right.close()
  }
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
