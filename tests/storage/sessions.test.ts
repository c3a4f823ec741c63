import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../support/properties.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { admit, type Arrival, type Visit, VISIT_GAP_MS } from '../../storage/hits/sessions.ts'
import { event, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'

const NOON = MIDNIGHT + 12 * HOUR
const at = (minutes: number) => ({ at: NOON + minutes * MINUTE })

function visitsOf(hits: readonly NewHit[]): { visits: Visit[]; arrivals: Arrival[] } {
  const visits: Visit[] = []
  const arrivals = hits.map((hit): Arrival => ({ hit, visit: null, seq: 0 }))
  for (const arrival of arrivals) admit(visits, arrival)
  return { visits: visits.sort((a, b) => a.startedAt - b.startedAt), arrivals }
}

describe('visits of one visitor and day', () => {
  test('the gap slides: 29 minutes after 29 minutes is one visit', () => {
    const { visits } = visitsOf([hit(at(0)), hit(at(29)), hit(at(58))])
    assert.equal(visits.length, 1)
    assert.equal(visits[0]?.pageviews, 3)
    assert.equal(visits[0]?.lastAt, at(58).at)
  })

  test('just under 30 minutes joins, 30 minutes parts', () => {
    assert.equal(visitsOf([hit(at(0)), hit({ at: NOON + VISIT_GAP_MS - 1 })]).visits.length, 1)
    const { visits } = visitsOf([hit(at(0)), hit({ at: NOON + VISIT_GAP_MS })])
    assert.deepEqual(
      visits.map(visit => visit.number),
      [1, 2],
    )
  })

  test('the entry page stays, the exit page moves, and only pageviews have a say', () => {
    const [visit] = visitsOf([
      event('login', at(0)),
      hit({ page: '/in', ...at(1) }),
      hit({ page: '/out', ...at(2) }),
      event('buy', { page: '/else', ...at(3) }),
    ]).visits
    assert.equal(visit?.entry?.page, '/in')
    assert.equal(visit?.exit?.page, '/out')
    assert.deepEqual([visit?.pageviews, visit?.events], [2, 2])
  })

  test('an interactive event or a second pageview ends the bounce; a quiet event does not', () => {
    const bounced = (...hits: NewHit[]) => visitsOf(hits).visits.map(visit => visit.bounced)
    assert.deepEqual(bounced(hit(at(0))), [true])
    assert.deepEqual(bounced(hit(at(0)), event('scrolled', { interactive: false, ...at(1) })), [true])
    assert.deepEqual(bounced(hit(at(0)), event('buy', at(1))), [false])
    assert.deepEqual(bounced(hit(at(0)), hit(at(1))), [false])
  })

  test('a late hit lengthens a visit backwards, and its dimensions become the visit’s', () => {
    const { visits } = visitsOf([
      hit({ page: '/b', ...at(20), visit: { source: 'late' } }),
      hit({ page: '/a', ...at(0), visit: { source: 'first' } }),
    ])
    assert.equal(visits.length, 1)
    assert.equal(visits[0]?.startedAt, at(0).at)
    assert.equal(visits[0]?.entry?.page, '/a')
    assert.equal(visits[0]?.exit?.page, '/b')
    assert.deepEqual(visits[0]?.first, hit({ visit: { source: 'first' } }).visit)
  })

  test('a late hit joins two visits under the lower number, and no two rows share a seq', () => {
    const { visits, arrivals } = visitsOf([hit(at(50)), hit(at(51)), hit(at(0)), hit(at(1)), hit(at(25))])
    assert.deepEqual(
      visits.map(visit => visit.number),
      [1],
    )
    assert.equal(visits[0]?.pageviews, 5)
    assert.equal(new Set(arrivals.map(arrival => arrival.seq)).size, 5)
    assert.ok(arrivals.every(arrival => arrival.visit === visits[0]))
  })

  test('stored visits that become one through one another keep their rows apart', () => {
    const { visits } = visitsOf([hit(at(100)), hit(at(101)), hit(at(0)), hit(at(1)), hit(at(50)), hit(at(51))])
    for (const visit of visits) Object.assign(visit, { stored: true, arrivals: [] })
    for (const minute of [25, 75]) admit(visits, { hit: hit(at(minute)), visit: null, seq: 0 })
    const [visit, ...others] = visits
    assert.equal(others.length, 0)
    assert.deepEqual([visit?.number, visit?.nextSeq], [1, 8])
    assert.deepEqual(visit?.absorbed, [
      { number: 3, shift: 6 },
      { number: 2, shift: 3 },
    ])
    assert.deepEqual(
      visit?.arrivals.map(({ seq }) => seq),
      [2, 5],
    )
  })

  test('an engagement lengthens the visit it follows, may join the next, and makes none', () => {
    const engagement = (minutes: number) => hit({ kind: 'engagement', ...at(minutes) })
    assert.equal(visitsOf([engagement(0)]).visits.length, 0)
    assert.equal(visitsOf([hit(at(10)), engagement(0)]).visits[0]?.startedAt, at(10).at)
    assert.equal(visitsOf([hit(at(0)), engagement(30)]).visits[0]?.lastAt, at(0).at)
    assert.equal(visitsOf([hit(at(0)), engagement(29)]).visits[0]?.lastAt, at(29).at)
    const [visit, ...others] = visitsOf([hit(at(0)), hit(at(45)), engagement(20)]).visits
    assert.equal(others.length, 0)
    assert.deepEqual([visit?.pageviews, visit?.events, visit?.nextSeq], [2, 0, 2])
  })

  test('vitals and clicks go to the latest visit that had begun, and change nothing of it', () => {
    const vitals = hit({ kind: 'vitals', ...at(300) })
    const { visits, arrivals } = visitsOf([hit(at(0)), hit(at(60)), vitals, hit({ ...vitals, ...at(-1) })])
    assert.deepEqual(
      visits.map(visit => visit.lastAt),
      [at(0).at, at(60).at],
    )
    assert.equal(arrivals[2]?.visit, visits[1])
    assert.equal(arrivals[3]?.visit, null)
  })

  test('a click takes a row each', () => {
    const click = { selector: 'a', x: 1, y: 1 }
    const clicks = hit({ kind: 'clicks', clicks: [click, click, click], ...at(1) })
    const { visits, arrivals } = visitsOf([hit(at(0)), clicks, hit(at(2))])
    assert.deepEqual(
      arrivals.map(arrival => arrival.seq),
      [0, 1, 4],
    )
    assert.equal(visits[0]?.nextSeq, 5)
  })

  test('a day of 50 hours has no more visits than a byte can number, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50 * 60), { maxLength: 400 }), minutes => {
        const { visits } = visitsOf(minutes.map(minute => hit({ at: MIDNIGHT + minute * MINUTE })))
        assert.ok(visits.every(visit => visit.number <= 101))
      }),
      { numRuns: 50 },
    )
  })

  test('the order in which hits come makes no difference', () => {
    const hits = fc
      .uniqueArray(fc.nat(600), { maxLength: 25 })
      .map(minutes =>
        minutes.map((minute, i) =>
          i % 4 === 0
            ? event('e', { interactive: i % 8 === 0, revenue: i, page: `/${i}`, ...at(minute) })
            : hit({ page: `/${i}`, visit: { source: `s${i}` }, ...at(minute) }),
        ),
      )
    const outline = (given: readonly NewHit[]) =>
      visitsOf(given).visits.map(visit => ({
        ...visit,
        number: 0,
        arrivals: visit.arrivals.map(({ hit }) => hit).sort((a, b) => a.at - b.at),
      }))
    fc.assert(
      fc.property(
        hits.chain(given => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
        ([given, shuffled]) => {
          assert.deepEqual(outline(shuffled), outline(given.toSorted((a, b) => a.at - b.at)))
        },
      ),
      { numRuns: 300 },
    )
  })
})
