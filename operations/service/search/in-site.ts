/** Pages, events, sources and properties of a site that have a text in their names, most frequent of 90 days first. */
import type { Db } from '../../../storage/store.ts'
import { apply, breakdown, dimensionOf, type Engine, queryOf, spanOf } from '../../reports/stats/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { aggregateKinds, propertyPath } from './record-kinds.ts'

export interface Seen {
  readonly kind: string
  readonly id: string
  readonly names: readonly string[]
  readonly siteId: string
  readonly path: string
}

interface Search {
  readonly site: LiveSite
  readonly wanted: string
  /** Null for all. */
  readonly kinds: ReadonlySet<string> | null
  readonly limit: number
}

export async function seenIn({ site, wanted, kinds, limit }: Search, { db, now, engine }: { db: Db; now: number; engine: Engine }) {
  const found: Seen[] = []
  for (const [kind, pathOf] of Object.entries(aggregateKinds)) {
    const dimension = dimensionOf(kind)
    if (!dimension || kinds?.has(kind) === false) continue
    const applied = await apply(db, site, now, { period: '90d', filters: [[kind, 'contains', wanted]] })
    const { data } = await breakdown(applied, {
      dimension,
      page: { sort: 'visitors', order: 'desc', rank: 'value', limit, page: 1 },
      engine,
    })
    for (const { value, label } of data.rows)
      if (value !== '') found.push({ kind, id: value, names: [label, value], siteId: site.id, path: pathOf(site.id, value) })
  }
  if (kinds?.has('property') === false) return found
  const applied = await apply(db, site, now, { period: '90d' })
  const span = spanOf(site.timezone, applied.range, applied.range)
  const { rows } = await engine.query({ ...queryOf(applied), asked: { report: 'properties', span, event: null } })
  for (const { key } of rows) found.push({ kind: 'property', id: key, names: [key], siteId: site.id, path: propertyPath(site.id, key) })
  return found
}
