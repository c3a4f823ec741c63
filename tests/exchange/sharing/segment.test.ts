/** Whatever a visitor of a link asks for, they see no more than its segment: any filter narrows it further. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hit, store as keep } from '../../storage/engine/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const countries = ['DE', 'FR', 'IT']
const sources = ['Google', 'Bing', '']
const pages = ['/', '/shop', '/blog/one', '/blog/two']

/** The same numbers in every run (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

onAnyEngine('the segment of a link', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const draw = chance(7)
    const hits = Array.from({ length: 400 }, (_, i) =>
      hit(zone, {
        who: `${i % 120}`,
        at: service.clock.now - 86_400_000 * 3 + i * 300_000,
        page: pages[draw(pages.length)] ?? '/',
        ...(draw(5) === 0 && { event: 'Signup', props: { plan: draw(2) === 0 ? 'free' : 'pro' } }),
        visit: { country: countries[(i % 120) % 3] ?? '', source: sources[draw(3)] ?? '' },
      }),
    )
    await keep(service.store, hits, hits.length)
  })
  after(() => service.close())

  /** Conditions of all forms, including negative operators and alternatives, which could widen the result. */
  function conditionsBy(draw: (below: number) => number, depth = 0): unknown[] {
    const one = (): unknown => {
      const kinds: (() => unknown)[] = [
        () => ['country', draw(2) === 0 ? 'is' : 'is_not', countries[draw(3)]],
        () => ['country', draw(2) === 0 ? 'any_of' : 'none_of', [countries[draw(3)], countries[draw(3)]]],
        () => ['source', draw(2) === 0 ? 'is' : 'is_not', sources[draw(3)]],
        () => ['page', draw(2) === 0 ? 'starts_with' : 'not_contains', '/blog'],
        () => ['page', 'regex', '.*'],
        () => ['event', draw(2) === 0 ? 'is' : 'is_not', 'Signup'],
        () => ['property:plan', draw(2) === 0 ? 'is' : 'is_not', 'pro'],
        () => ({ any: conditionsBy(draw, depth + 1) }),
      ]
      return kinds[draw(depth < 2 ? kinds.length : kinds.length - 1)]?.()
    }
    return Array.from({ length: 1 + draw(3) }, one)
  }

  const ask = (token: string, path: string, query: Readonly<Record<string, unknown>>) =>
    request(
      service,
      'GET',
      `/sites/${world.ids.site}/${path}.json?${new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )}`,
      { token },
    )

  for (const [seed, segment] of [
    [1, [['country', 'is', 'DE']]],
    [
      2,
      [
        ['country', 'is_not', 'FR'],
        {
          any: [
            ['source', 'is', 'Google'],
            ['page', 'is', '/shop'],
          ],
        },
      ],
    ],
    [3, ['country', 'is', 'IT']],
    [4, [['page', 'starts_with', '/blog']]],
  ] as const) {
    test(`${JSON.stringify(segment)} is joined to every filter by AND`, async () => {
      const saved = await request(service, 'POST', `/sites/${world.ids.site}/segments.json`, {
        token: world.token,
        body: { name: `Segment ${seed}`, filters: segment },
      })
      assert.equal(saved.status, 201, saved.text)
      const link = await request(service, 'POST', `/sites/${world.ids.site}/shared_links.json`, {
        token: world.token,
        body: { name: 'Cut', segment_id: saved.body.data.id, reports: ['aggregate', 'breakdown'], show_revenue: true },
      })
      const slug = new URL(link.body.data.url).pathname
      const { token } = (await request(service, 'POST', `${slug}.json`, { body: {} })).body.data
      const whole = await ask(token, 'stats/aggregate', { period: '7d' })
      const own = typeof segment[0] === 'string' ? [segment] : segment
      const all = await ask(world.token, 'stats/aggregate', { period: '7d', filters: own })
      assert.deepEqual(whole.body.data, all.body.data)
      assert.ok(whole.body.data.metrics.visits > 0)
      const unfiltered = await ask(world.token, 'stats/aggregate', { period: '7d' })
      assert.ok(whole.body.data.metrics.pageviews < unfiltered.body.data.metrics.pageviews)

      const draw = chance(seed)
      for (let i = 0; i < 25; i++) {
        const filters = draw(10) === 0 ? ['country', 'is', countries[draw(3)]] : conditionsBy(draw)
        const joined = [...own, ...(typeof filters[0] === 'string' ? [filters] : filters)]
        for (const path of ['stats/aggregate', 'breakdown/country']) {
          const [seen, there] = [
            await ask(token, path, { period: '7d', filters }),
            await ask(world.token, path, { period: '7d', filters: joined }),
          ]
          assert.equal(seen.status, 200, `${JSON.stringify(filters)} ${seen.text}`)
          assert.deepEqual(seen.body.data, there.body.data, JSON.stringify(filters))
          if (path === 'stats/aggregate')
            assert.ok(seen.body.data.metrics.visits <= whole.body.data.metrics.visits, `${JSON.stringify(filters)} sees more`)
        }
      }
    })
  }
})
