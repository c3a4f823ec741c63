/** Rows of `stats_query`, of as many pages as are asked for. */
import type { Meta } from './answers.ts'
import type { Asked } from './format.ts'

export interface Row {
  readonly values: readonly string[]
  readonly labels: readonly string[]
  readonly comparison?: Readonly<Record<string, unknown>>
  readonly [metric: string]: unknown
}

export interface Rows {
  readonly rows: readonly Row[]
  readonly meta: Meta
  readonly period: { readonly from: string; readonly to: string } | undefined
  /** Length of the points of time. */
  readonly interval: string | undefined
}

const PER_PAGE = 1_000

/** @throws Refused */
export async function rowsOf(
  asked: Asked,
  siteId: string,
  { input, offset, limit }: { readonly input: Readonly<Record<string, unknown>>; readonly offset: number; readonly limit: number },
): Promise<Rows> {
  const rows: Row[] = []
  // A page of exactly these rows, if there is one: otherwise pages of 1,000, and the rows of them that are asked for.
  const isOnePage = limit <= PER_PAGE && offset % limit === 0
  const perPage = isOnePage ? limit : PER_PAGE
  const first = Math.floor(offset / perPage)
  for (let page = first; ; page++) {
    const { data, meta } = await asked.call('stats_query', { site_id: siteId }, { ...input, limit: perPage, page: page + 1 })
    rows.push(...data.rows)
    const end = (page + 1) * perPage
    if (end >= (meta.total ?? 0) || end >= offset + limit) {
      const skipped = offset - first * perPage
      return { rows: rows.slice(skipped, skipped + limit), meta, period: data.period, interval: data.interval }
    }
  }
}
