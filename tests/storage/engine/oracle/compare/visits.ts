/** Lists of single visits against brute force: every visit once, newest first, through all pages. */
import assert from 'node:assert/strict'
import { listed, timeline } from '../../../../../operations/reports/visits/visits.ts'
import { placeIn, visitPlace } from '../../../../../operations/reports/stats/visit-places.ts'
import { lies, pagesOf, type Visit } from '../oracle.ts'
import type { Asked } from '../questions.ts'

const PAGES = 40
/** A member: only readers of shared links see less. */
const caller = { kind: 'api_token' } as Parameters<typeof listed>[1]['caller']

export async function visitsAgree({ living: { oracle, store, site }, applied, filters, part, engine, drawn }: Asked): Promise<void> {
  const begins = ({ hits }: Visit) => hits[0]?.at ?? 0
  const expected = oracle
    .kept(filters)
    .filter(visit => lies(part, visit, begins(visit)))
    .sort((a, b) => begins(b) - begins(a))
  const reading = { db: store.read, engine, caller, limit: drawn.limit }
  const found: Awaited<ReturnType<typeof listed>>['data']['rows'] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES && (page === 0 || cursor !== null); page++) {
    const { data } = await listed(applied, { ...reading, after: cursor === null ? null : (placeIn(cursor) ?? assert.fail()) })
    assert.ok(data.rows.length === drawn.limit || data.next_cursor === null)
    found.push(...data.rows)
    cursor = data.next_cursor
  }
  const shown = expected.slice(0, found.length)
  if (cursor === null) assert.equal(found.length, expected.length)
  assert.deepEqual(
    found.map(({ started_at, pageviews, revenue, entry_page, exit_page, utm_campaign }) => [
      Date.parse(started_at),
      pageviews,
      revenue,
      entry_page,
      exit_page,
      utm_campaign,
    ]),
    shown.map(visit => [
      begins(visit),
      pagesOf(visit).length,
      visit.hits.reduce((sum, one) => sum + one.revenue, 0),
      pagesOf(visit)[0]?.page ?? '',
      pagesOf(visit).at(-1)?.page ?? '',
      visit.first.utm_campaign ?? '',
    ]),
  )
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
  const [first] = shown
  const [row] = found
  if (!first || !row) return
  assert.deepEqual(
    row.goals.toSorted(),
    oracle.goals
      .filter(goal => first.hits.some(one => oracle.completes(first, one, goal)))
      .map(({ name }) => name)
      .toSorted(),
  )
  const place = visitPlace(row.id) ?? assert.fail()
  const one = await timeline({ ...site, ...applied.site }, { place, page: 1, limit: 1_000, db: store.read, caller, engine })
  assert.deepEqual(
    one?.steps.map(({ at, page, event }) => [Date.parse(at), page, event]),
    first.hits
      .filter(hit => hit.kind === 'pageview' || hit.event !== '')
      .map(hit => [hit.at, hit.page, hit.kind === 'pageview' ? null : hit.event]),
  )
}
