/**
 * The same hits in any order and batches make the same visits: compared with a simple implementation that sorts all of
 * them by time.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../support/properties.ts'
import { type HitStore, openHitStore } from '../../storage/hits/hit-store.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import type { Store } from '../../storage/store.ts'
import { localDay } from '../../storage/calendar/zones.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { DAY, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { groupBy, sorted, type StoredVisit, storedVisits } from './stored-hits.ts'

function visitsByHand(hits: readonly NewHit[]): StoredVisit[][] {
  const visitors = groupBy(hits, ({ zone, at, identity }) => `${localDay(zone, at).day} ${identity.userAgent}`)
  return sorted(
    [...visitors.values()]
      .map(ofOne => {
        const visits: NewHit[][] = []
        for (const next of ofOne.toSorted((a, b) => a.at - b.at)) {
          const visit = visits.at(-1)
          if (visit && next.at - (visit.at(-1)?.at ?? 0) < 30 * MINUTE) visit.push(next)
          else if (next.kind !== 'engagement') visits.push([next])
        }
        return sorted(visits.map(visitByHand))
      })
      .filter(visits => visits.length > 0),
  )
}

function visitByHand(hits: readonly NewHit[]): StoredVisit {
  const pageviews = hits.filter(({ kind }) => kind === 'pageview')
  const events = hits.filter(({ kind }) => kind === 'event')
  const startedAt = hits[0]?.at ?? 0
  return {
    startedAt,
    duration: (hits.at(-1)?.at ?? 0) - startedAt,
    pageviews: pageviews.length,
    events: events.length,
    bounce: pageviews.length < 2 && !events.some(({ interactive }) => interactive) ? 1 : 0,
    entryPage: pageviews[0]?.page ?? '',
    exitPage: pageviews.at(-1)?.page ?? '',
    source: hits[0]?.visit.source ?? '',
    country: hits[0]?.visit.country ?? '',
    revenue: [...pageviews, ...events].reduce((sum, { revenue }) => sum + revenue, 0),
    hits: hits
      .filter(({ kind }) => kind !== 'engagement')
      .map(({ at, page, event, revenue, props }) => ({
        at,
        page,
        event,
        revenue,
        engagedMs: 0,
        scroll: 0,
        props: Object.fromEntries(props),
      })),
  }
}

/** Around two midnights, with gaps that are often just below, at, or above half an hour. */
const makers: fc.Arbitrary<NewHit[]> = fc
  .uniqueArray(
    fc.record({
      visitor: fc.constantFrom('anna', 'bert'),
      slot: fc.nat(180),
      kind: fc.constantFrom('pageview' as const, 'pageview' as const, 'event' as const),
      page: fc.constantFrom('/', '/a', '/b'),
      interactive: fc.boolean(),
      revenue: fc.constantFrom(0, 0, 250),
      source: fc.constantFrom('', 'news', 'mail'),
      country: fc.constantFrom('', 'DE', 'FR'),
    }),
    { selector: ({ slot }) => slot, minLength: 1, maxLength: 30 },
  )
  .map(rows =>
    rows.map(({ visitor, slot, source, country, ...fields }) =>
      hit({
        ...fields,
        visitor,
        at: MIDNIGHT - 15 * HOUR + slot * 10 * MINUTE,
        event: fields.kind === 'event' ? 'e' : '',
        props: fields.revenue > 0 ? [['amount', String(fields.revenue), fields.revenue]] : [],
        visit: { source, country },
      }),
    ),
  )

/**
 * Without the sources of visits that begin within half an hour of midnight: they may continue the visit before it, if that
 * came first (docs/analytics.md §1).
 */
const comparable = (visitors: StoredVisit[][]): StoredVisit[][] =>
  sorted(visitors.map(visits => sorted(visits.map(visit => ({ ...visit, source: mayContinue(visit) ? '' : visit.source })))))
const mayContinue = ({ startedAt }: StoredVisit): boolean => startedAt >= MIDNIGHT && startedAt < MIDNIGHT + 30 * MINUTE

/** All of them in another order, split into batches. */
const inBatches = (hits: readonly NewHit[]): fc.Arbitrary<NewHit[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...hits], { minLength: hits.length }),
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: hits.length, maxLength: hits.length }),
    )
    .map(([order, sizes]) => {
      const batches: NewHit[][] = []
      for (let i = 0, b = 0; i < order.length; b++) {
        const size = sizes[b] ?? 1
        batches.push(order.slice(i, i + size))
        i += size
      }
      return batches
    })

onEachEngine('the order of arrival', engine => {
  let store: Store
  let hits: HitStore
  let drop: () => Promise<void>
  let site = 0
  const runs = { sqlite: 60, postgres: 25 }[engine.name]

  before(async () => {
    ;({ store, drop } = await engine.create())
    hits = openHitStore(store, { now: () => MIDNIGHT + DAY, randomBytes })
  })
  after(async () => {
    await hits.close()
    await drop()
  })

  async function visitsAfter(batches: readonly (readonly NewHit[])[]): Promise<StoredVisit[][]> {
    site++
    for (const batch of batches) await hits.append(batch.map(hit => ({ ...hit, site })))
    await assertWhole()
    return comparable(await storedVisits(store, site))
  }

  /** Asserts that every row belongs to a visit, and that each visit's counts are right. */
  async function assertWhole(): Promise<void> {
    const [visits, rows, props] = await Promise.all([
      store.read.selectFrom('visits').selectAll().where('site_id', '=', site).execute(),
      store.read.selectFrom('hits').selectAll().where('site_id', '=', site).execute(),
      store.read.selectFrom('hit_props').selectAll().where('site_id', '=', site).execute(),
    ])
    const key = (row: { day: number; visit_id: number }) => `${row.day} ${row.visit_id}`
    const counts = new Map([...groupBy(rows, key)].map(([visit, of]) => [visit, of.length]))
    assert.deepEqual(counts, new Map(visits.map(visit => [key(visit), visit.pageviews + visit.events])))
    assert.ok(visits.every(visit => visit.next_seq === visit.pageviews + visit.events && visit.visit_id % 256 > 0))
    const places = new Set(rows.map(row => `${key(row)} ${row.seq}`))
    assert.ok(props.every(prop => places.has(`${key(prop)} ${prop.seq}`)))
  }

  test('any order and any batches of pageviews and events make the same visits', async () => {
    await fc.assert(
      fc.asyncProperty(
        makers.chain(given => fc.tuple(fc.constant(given), inBatches(given))),
        async ([given, batches]) => {
          assert.deepEqual(await visitsAfter(batches), comparable(visitsByHand(given)))
        },
      ),
      { numRuns: runs },
    )
  })

  test('engagements that come in time order lengthen and join the same visits in any batches', async () => {
    const engagement = fc
      .record({ after: fc.nat(180), visitor: fc.constantFrom('anna', 'bert') })
      .map(({ after, visitor }) => hit({ kind: 'engagement', visitor, at: MIDNIGHT - 15 * HOUR + after * 10 * MINUTE + MINUTE }))
    const mixed = fc.tuple(makers, fc.array(engagement, { maxLength: 10 }))
    await fc.assert(
      fc.asyncProperty(
        mixed.chain(([given, signals]) => fc.tuple(fc.constant([given, signals] as const), inBatches(given))),
        async ([[given, signals], batches]) => {
          const later = signals.toSorted((a, b) => a.at - b.at)
          const half = later.length >> 1
          assert.deepEqual(
            await visitsAfter([...batches, later.slice(0, half), later.slice(half)]),
            comparable(visitsByHand([...given, ...later])),
          )
          assert.deepEqual(await visitsAfter([[...later.toReversed(), ...given]]), comparable(visitsByHand([...given, ...later])))
        },
      ),
      { numRuns: Math.ceil(runs / 2) },
    )
  })
})
