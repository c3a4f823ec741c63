/** Vitals and clicks against brute force: from rows, sealed, with late hits, and sealed again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEngine, type Query } from '../../../storage/engine/index.ts'
import type { Span } from '../../../operations/reports/stats/index.ts'
import { type VitalName, vitalNames, webVitals as thresholds } from '../../../storage/values/web-vitals.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { runStep } from '../../../storage/migrations/run-step.ts'
import { chanceOf, randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { addSite, hit } from './traffic.ts'

const FIRST = Date.parse('2026-03-10') / 86_400_000
const DAYS = 4
const DAY = 86_400_000
const HOUR = 3_600_000
const startOf = (day: number) => (FIRST + day) * DAY
const pages = ['/', '/a', '/b', '/never-measured'] as const
const devices = ['mobile', 'desktop', ''] as const
const chance = chanceOf('measures')
const pick = <T>(of: readonly T[]): T => of[chance.int(0, of.length)] as T

/** Every visitor views one page a day, except ghosts, who view none. Vitals and clicks follow. */
interface Visitor {
  readonly day: number
  readonly who: string
  readonly seenAt: number | null
  readonly country: string
}
interface Told {
  readonly by: Visitor
  readonly page: string
  readonly device: string
  readonly vitals: Partial<Record<VitalName, number>>
  readonly clicks: readonly { selector: string; x: number; y: number }[]
}

const visitors: readonly Visitor[] = Array.from({ length: DAYS * 15 }, (_, i) => {
  const day = i % DAYS
  return { day, who: `v${i}`, seenAt: i % 10 === 9 ? null : startOf(day) + chance.int(0, 20 * HOUR), country: pick(['DE', 'FR']) }
})
const tells = (by: Visitor): Told => ({
  by,
  page: pick(pages.slice(0, 3)),
  device: pick(devices),
  // Sometimes over 16 bits, and outside a histogram's buckets.
  vitals: Object.fromEntries(
    vitalNames
      .filter(() => chance.int(0, 3) > 0)
      .map(name => [
        name,
        name === 'cls' ? chance.int(0, 400) / 1000 : chance.int(0, 20) === 0 ? 60_000 + chance.int(0, 200_000) : chance.int(0, 5_000),
      ]),
  ),
  clicks: Array.from({ length: chance.int(0, 3) }, () => ({
    selector: pick(['#buy', 'footer>a']),
    x: chance.int(0, 10_001),
    y: chance.int(0, 70_000),
  })),
})

const whole = (from: number, to: number): Span => ({
  fromDay: FIRST + from,
  toDay: FIRST + to,
  from: startOf(from),
  to: startOf(to + 1),
  whole: true,
})
const cut: Span = { ...whole(1, 2), from: startOf(1) + 8 * HOUR, to: startOf(2) + 11 * HOUR, whole: false }
const spans = [whole(0, 3), whole(2, 2), cut]
const german: Query['where'] = [{ dimension: 'country', operator: 'is', values: ['DE'], pointer: '' }]

function counts({ by: { day, seenAt, country } }: Told, span: Span, where: Query['where']): boolean {
  if (where.length > 0 && (seenAt === null || country !== 'DE')) return false
  const [from, to] = [startOf(day), startOf(day + 1)]
  if (span.from <= from && to <= span.to) return true
  return from < span.to && span.from < to && seenAt !== null && seenAt >= span.from && seenAt < span.to
}

function measured(name: VitalName, values: readonly number[]) {
  const { good, poor } = thresholds[name]
  return {
    samples: values.length,
    value: values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? null,
    good: values.filter(value => value <= good).length,
    poor: values.filter(value => value > poor).length,
  }
}
const vitalsBy = (told: readonly Told[]) =>
  vitalNames.map(name => {
    const of = (device?: string) => told.filter(one => one.device === (device ?? one.device)).flatMap(one => one.vitals[name] ?? [])
    const byDevice = devices.map(device => ({ device, ...measured(name, of(device)) })).filter(({ samples }) => samples > 0)
    return {
      metric: name,
      ...measured(name, of()),
      devices: byDevice.sort((a, b) => b.samples - a.samples || (a.device < b.device ? -1 : 1)),
    }
  })

const MANY = 5_000
const max = { elements: MANY, parts: MANY }
const partOf = ({ x, y }: { x: number; y: number }) => `${Math.min(49, Math.floor(x / 200))} ${Math.min(999, Math.floor(y / 50))}`
function clicksBy(told: readonly Told[]) {
  const clicks = told.flatMap(one => one.clicks)
  const many = <K>(keys: readonly K[]) => keys.reduce((all, key) => all.set(key, (all.get(key) ?? 0) + 1), new Map<K, number>())
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length
  return {
    clicks: clicks.length,
    elements: new Map(
      [...many(clicks.map(one => one.selector))].map(([selector, times]) => {
        const own = clicks.filter(one => one.selector === selector)
        return [selector, { clicks: times, x: mean(own.map(one => one.x)), y: mean(own.map(one => one.y)) }]
      }),
    ),
    parts: many(clicks.map(partOf)),
  }
}

onAnyEngine('vitals and clicks', engine => {
  test('are what was sent: from rows, sealed, with some come late, and sealed again', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const write = openBulk(store, { now: () => startOf(9), randomBytes })
    const told: Told[] = []
    async function send(some: readonly Told[]): Promise<void> {
      told.push(...some)
      await write(
        some.flatMap(({ by: { who, day, seenAt, country }, page, device, vitals, clicks }) => {
          const one = { who, page, at: (seenAt ?? startOf(day)) + 1_000, visit: { device, country } }
          return [
            ...(Object.keys(vitals).length > 0 ? [hit(site, { ...one, kind: 'vitals', vitals })] : []),
            ...(clicks.length > 0 ? [hit(site, { ...one, kind: 'clicks', clicks })] : []),
          ]
        }),
        async () => {},
      )
    }
    const open = () => openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    let analytics = open()
    const ask = (asked: Query['asked'], where: Query['where']): Promise<unknown> =>
      analytics.query({ site: site.number, where, goals: [], asked })
    async function holds(when: string): Promise<void> {
      for (const where of [[], german]) {
        const among = (span: Span, page: string | null) =>
          told.filter(one => (page === null || one.page === page) && counts(one, span, where))
        for (const page of [null, ...pages]) {
          const { spans: found } = (await ask({ report: 'vitals', spans, page }, where)) as { spans: unknown }
          assert.deepEqual(
            found,
            spans.map(span => vitalsBy(among(span, page))),
            `${when}: vitals of ${page}`,
          )
        }
        for (const page of pages)
          for (const span of spans) {
            const { clicks, elements, parts } = (await ask({ report: 'clicks', path: page, span, ...max }, where)) as any
            const found = {
              clicks,
              elements: new Map(elements.map(({ selector, ...one }: { selector: string }) => [selector, one])),
              parts: new Map(parts.map(({ column, row, clicks }: Record<string, number>) => [`${column} ${row}`, clicks])),
            }
            assert.deepEqual(found, clicksBy(among(span, page)), `${when}: clicks on ${page}`)
          }
      }
    }
    const due = async () =>
      (
        await store.read
          .selectFrom('site_days')
          .select('day')
          .whereRef('rev', '<>', 'sealed_rev')
          .where('ends_at', '<=', startOf(9))
          .orderBy('ends_at')
          .execute()
      ).map(({ day }) => day - FIRST)
    async function seal(): Promise<void> {
      const failed = (_: unknown, error: unknown) => {
        throw error
      }
      await open().sealDays({ now: () => startOf(9), signal: new AbortController().signal, minVisitors: 0, failed })
      assert.deepEqual(await due(), [])
    }

    await write(
      visitors.flatMap(({ who, seenAt, country }) =>
        seenAt === null ? [] : [hit(site, { who, at: seenAt, page: pick(pages), visit: { country, device: pick(devices) } })],
      ),
      async () => {},
    )
    await send(visitors.map(tells))
    await holds('from rows')
    await seal()
    analytics = open()
    await holds('sealed')

    // Some of visitors with a pageview, some of others.
    await send(visitors.filter(({ day }) => day === 2).map(tells))
    assert.deepEqual(await due(), [2])
    await holds('with some come late')
    await send(visitors.filter(({ day, seenAt }) => day === 1 && seenAt === null).map(tells))
    assert.deepEqual(await due(), [1, 2])
    await seal()
    await holds('sealed again, with some more that no visit has')

    await runStep(store.write as never, store.dialect, '2026-11-21-6-sealed-vitals')
    assert.deepEqual((await due()).sort(), [0, 1, 2, 3], 'an older format is due')
    await store.write.deleteFrom('segment_cols').where('col', '>=', 90).execute()
    analytics = open()
    await holds('sealed by an older version')
    await seal()
    for (const table of ['vitals', 'clicks'] as const) await store.write.deleteFrom(table).execute()
    analytics = open()
    await holds('from columns alone')
    await drop()
  })
})
