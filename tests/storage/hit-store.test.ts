import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { dictionaryOf } from '../../storage/hits/dictionaries.ts'
import { type HitStore, openHitStore } from '../../storage/hits/hit-store.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import type { Store } from '../../storage/store.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { DAY, event, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { dictionary, storedVisits } from './stored-hits.ts'

onEachEngine('the hit store', engine => {
  let store: Store
  let hits: HitStore
  let drop: () => Promise<void>
  let now = 0
  let site = 0
  const errors: unknown[] = []
  const NOON = MIDNIGHT + 12 * HOUR
  const at = (minutes: number) => ({ site, at: NOON + minutes * MINUTE })

  before(async () => {
    ;({ store, drop } = await engine.create())
    hits = openHitStore(store, { now: () => now, randomBytes, onInvalid: error => errors.push(error) })
  })
  after(async () => {
    await hits.close()
    await drop()
  })

  /** Each test has a site of its own. */
  const behaviour = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      site++
      now = NOON + 6 * HOUR
      errors.length = 0
      await run()
    })

  const append = async (...given: NewHit[]) => {
    const outcomes = await hits.append(given)
    return outcomes.map(outcome => (outcome.stored ? 'stored' : outcome.reason))
  }
  const day = () => store.read.selectFrom('site_days').selectAll().where('site_id', '=', site).orderBy('day').execute()
  const drops = () => store.read.selectFrom('drops').selectAll().where('site_id', '=', site).orderBy('reason').execute()
  const all = <T extends 'hits' | 'vitals' | 'clicks' | 'visitors' | 'visits' | 'dict'>(table: T) =>
    store.read
      .selectFrom(table as 'hits')
      .selectAll()
      .where('site_id', '=', site)
      .execute()

  behaviour('keeps a visit with its hits, properties and revenue', async () => {
    const [first] = await hits.append([hit({ page: '/a', visit: { source: 'news', country: 'DE' }, ...at(0) })])
    assert.deepEqual(first, { stored: true, visit: { day: 20777, id: 257 } })
    await append(
      event('buy', {
        page: '/b',
        revenue: 1999,
        props: [
          ['plan', 'pro', null],
          ['seats', '5', 5],
        ],
        ...at(2),
      }),
      hit({ page: '/c', ...at(3) }),
    )
    const bought = { plan: 'pro', seats: '5' }
    const plain = { revenue: 0, engagedMs: 0, scroll: 0, props: {} }
    assert.deepEqual(await storedVisits(store, site), [
      [
        {
          startedAt: NOON,
          duration: 3 * MINUTE,
          pageviews: 2,
          events: 1,
          bounce: 0,
          entryPage: '/a',
          exitPage: '/c',
          source: 'news',
          country: 'DE',
          revenue: 1999,
          hits: [
            { ...plain, at: NOON, page: '/a', event: '' },
            { ...plain, at: NOON + 2 * MINUTE, page: '/b', event: 'buy', revenue: 1999, props: bought },
            { ...plain, at: NOON + 3 * MINUTE, page: '/c', event: '' },
          ],
        },
      ],
    ])
    const props = await store.read.selectFrom('hit_props').select('num').where('site_id', '=', site).orderBy('num').execute()
    assert.deepEqual(new Set(props.map(({ num }) => num)), new Set([5, null]))
  })

  behaviour('tells visitors apart by address and by browser, and keeps neither', async () => {
    const secret = '198.51.100.23'
    await append(
      hit({ ...at(0), identity: { ip: secret, userAgent: 'Firefox' } }),
      hit({ ...at(1), identity: { ip: secret, userAgent: 'Firefox' } }),
      hit({ ...at(2), identity: { ip: secret, userAgent: 'Safari' } }),
      hit({ ...at(3), identity: { ip: '198.51.100.24', userAgent: 'Firefox' } }),
    )
    assert.deepEqual((await storedVisits(store, site)).map(visits => visits[0]?.pageviews).sort(), [1, 1, 2])
    const [{ next_visitor: next } = { next_visitor: 0 }] = await day()
    assert.equal(next, 4)
    const kept = JSON.stringify([await all('visitors'), await all('visits'), await all('hits'), await all('dict')])
    assert.ok(!kept.includes(secret) && !kept.includes('Firefox'))
  })

  behaviour('a visitor of two sites, or of two days, has nothing in common', async () => {
    now = MIDNIGHT + DAY + HOUR
    await append(hit(at(0)), hit({ site, at: MIDNIGHT + DAY - 1 }), hit({ site, at: MIDNIGHT + DAY }), hit({ ...at(0), site: site + 1 }))
    const hashes = await store.read
      .selectFrom('visitors')
      .select('hash')
      .where('site_id', 'in', [site, site + 1])
      .execute()
    assert.equal(new Set(hashes.map(({ hash }) => hash)).size, 3)
    assert.equal((await all('visits')).length, 3)
    site++ // also used
  })

  behaviour('midnight of the site parts a visit, not midnight in Greenwich', async () => {
    const zone = 'Asia/Kathmandu' // +05:45
    const local = MIDNIGHT + HOUR - (5 * HOUR + 45 * MINUTE) + DAY
    now = local + HOUR
    await append(hit({ site, zone, at: local - MINUTE }), hit({ site, zone, at: local + MINUTE }))
    assert.deepEqual(
      (await day()).map(({ starts_at, ends_at }) => [starts_at, ends_at]),
      [
        [local - DAY, local],
        [local, local + DAY],
      ],
    )
    assert.equal((await all('visits')).length, 2)
    site++
    await append(hit({ site, zone, at: MIDNIGHT + HOUR - MINUTE }), hit({ site, zone, at: MIDNIGHT + HOUR + MINUTE }))
    assert.equal((await all('visits')).length, 1)
  })

  behaviour('rev moves with every change to the day, and only then', async () => {
    const rev = async () => (await day()).map(row => row.rev)
    await append(hit({ kind: 'engagement', ...at(0) }))
    assert.deepEqual(await rev(), [0])
    await append(hit(at(0)))
    await append(hit({ kind: 'engagement', engagedMs: 5, ...at(1) }))
    await append(hit({ kind: 'vitals', vitals: { lcp: 900 }, ...at(1) }))
    assert.deepEqual(await rev(), [3])
    await append(hit({ kind: 'engagement', ...at(120) }), hit({ ...at(0), at: now + HOUR }))
    assert.deepEqual(await rev(), [3])
  })

  behaviour('attention is added to the last pageview of its page, and lengthens the visit', async () => {
    const engagement = (minutes: number, engagedMs: number, scroll: number) =>
      hit({ kind: 'engagement', page: '/a', engagedMs, scroll, ...at(minutes) })
    await append(hit({ page: '/a', ...at(0) }))
    await append(
      engagement(1, 1000, 30),
      engagement(2, 2000, 20),
      hit({ page: '/b', ...at(3) }),
      hit({ page: '/a', ...at(4) }),
      engagement(9, 500, 90),
    )
    await append(engagement(12, 250, 10), hit({ kind: 'engagement', page: '/never', engagedMs: 9, ...at(20) }))
    const [[visit] = []] = await storedVisits(store, site)
    assert.deepEqual(
      visit?.hits.map(({ page, engagedMs, scroll }) => [page, engagedMs, scroll]),
      [
        ['/a', 3000, 30],
        ['/b', 0, 0],
        ['/a', 750, 90],
      ],
    )
    assert.equal(visit?.duration, 20 * MINUTE)
    assert.equal(visit?.pageviews, 3)
  })

  behaviour('attention on a page that only events tell of is kept with the last of them', async () => {
    const engagement = (minutes: number, page: string) => hit({ kind: 'engagement', page, engagedMs: 1000, ...at(minutes) })
    const event = (minutes: number, page: string) => hit({ kind: 'event', event: 'signup', page, ...at(minutes) })
    await append(event(0, '/a'), event(1, '/a'), engagement(2, '/a'))
    await append(hit({ page: '/b', ...at(3) }), event(4, '/b'), engagement(5, '/b'))
    const [[visit] = []] = await storedVisits(store, site)
    assert.deepEqual(
      visit?.hits.map(({ page, engagedMs }) => [page, engagedMs]),
      [
        ['/a', 0],
        ['/a', 1000],
        ['/b', 1000],
        ['/b', 0],
      ],
    )
  })

  behaviour('a visit cut at midnight came as its first half did, known before or in the same batch', async () => {
    const came = { source: 'Google', channel: 'Organic Search', utm_term: 'shoes' }
    const midnight = MIDNIGHT + DAY
    const sent = (minutes: number, visitor: string, visit: Partial<NewHit['visit']> = {}) =>
      hit({ site, at: midnight + minutes * MINUTE, visitor, visit })
    now = midnight + HOUR
    await append(sent(-1, 'alone', came), sent(2, 'together', { country: 'DE' }), sent(-5, 'together', came))
    await append(sent(29, 'late', came), sent(20, 'alone'), sent(10, 'alone', { country: 'FR' }), sent(-40, 'gone', came), sent(5, 'gone'))
    await append(sent(5, 'late', { source: 'Bing' }))
    await append(sent(0, 'later', { source: 'Ask' }), sent(-1, 'later', came), sent(12, 'later'))
    const halves = (await storedVisits(store, site)).flat().filter(visit => visit.startedAt >= midnight)
    const shown = halves.map(({ startedAt, source, country }) => [(startedAt - midnight) / MINUTE, source, country])
    assert.deepEqual(
      shown.sort(([a], [b]) => Number(a) - Number(b)),
      [
        [0, 'Google', ''],
        [2, 'Google', 'DE'],
        [5, '', ''],
        [5, 'Bing', ''],
        [10, 'Google', 'FR'],
      ],
    )
    const { rows } = await sql<{ value: string }>`select d.value from visits v join dict d on d.site_id = v.site_id
      and d.dim = ${dictionaryOf.utm_term} and d.id = v.utm_term where v.site_id = ${site} and v.started_at >= ${midnight}`.execute(
      store.read,
    )
    assert.deepEqual(
      rows.map(({ value }) => value),
      ['shoes', 'shoes', 'shoes'],
    )
  })

  behaviour('an engagement without a visit says so, is counted, and leaves nothing', async () => {
    assert.deepEqual(await append(hit({ kind: 'engagement', ...at(0) })), ['no_visit'])
    await append(hit(at(0)))
    assert.deepEqual(await append(hit({ kind: 'engagement', ...at(30) })), ['no_visit'])
    assert.deepEqual(
      (await drops()).map(({ reason, count }) => [reason, count]),
      [['no_visit', 2]],
    )
    assert.equal((await all('hits')).length, 1)
  })

  behaviour('vitals and clicks hang on the visit, or on none, and make none', async () => {
    const vitals = { lcp: 1234.4, cls: 0.1234 }
    const clicks = [
      { selector: '#buy', x: 5000, y: 80 },
      { selector: '#buy', x: 5001, y: 81 },
    ]
    const measured = [hit({ kind: 'vitals', vitals, ...at(0) }), hit({ kind: 'clicks', clicks, ...at(0) })]
    const loose = await hits.append(measured)
    assert.deepEqual(loose, [
      { stored: true, visit: null },
      { stored: true, visit: null },
    ])
    assert.equal((await all('visitors')).length + (await all('visits')).length, 0)
    await append(hit({ ...at(1) }), hit({ kind: 'vitals', vitals, visit: { device: 'mobile' }, ...at(100) }))
    await append(hit({ kind: 'clicks', clicks, ...at(101) }), hit({ kind: 'vitals', vitals: { lcp: 7 }, visitor: 'bert', ...at(2) }))
    const texts = await dictionary(store, site)
    const rows = await store.read.selectFrom('vitals').selectAll().where('site_id', '=', site).execute()
    assert.deepEqual(rows.map(row => [row.metric, row.value, row.visit_id, texts(dictionaryOf.device, row.device)]).sort(), [
      ['cls', 123, 0, ''],
      ['cls', 123, 257, 'mobile'],
      ['lcp', 1234, 0, ''],
      ['lcp', 1234, 257, 'mobile'],
      ['lcp', 7, 0, ''],
    ])
    const clicked = await store.read.selectFrom('clicks').selectAll().where('site_id', '=', site).execute()
    assert.deepEqual(clicked.map(row => [row.visit_id, row.x, texts(dictionaryOf.selector, row.selector)]).sort(), [
      [0, 5000, '#buy'],
      [0, 5001, '#buy'],
      [257, 5000, '#buy'],
      [257, 5001, '#buy'],
    ])
    assert.equal((await storedVisits(store, site))[0]?.[0]?.duration, 0)
  })

  behaviour('when a late hit makes two visits one, all that hung on them comes along', async () => {
    const clicks = [{ selector: 'a', x: 1, y: 1 }]
    await append(hit({ page: '/late', visit: { source: 'second' }, ...at(50) }), hit({ kind: 'clicks', clicks, ...at(51) }))
    await append(hit({ page: '/early', visit: { source: 'first' }, ...at(0) }), event('buy', { props: [['plan', 'pro', null]], ...at(2) }))
    await append(hit({ kind: 'vitals', vitals: { lcp: 5 }, ...at(3) }), hit({ kind: 'clicks', clicks, ...at(3) }))
    assert.equal((await all('visits')).length, 2)
    await append(hit({ page: '/between', ...at(26) }))
    const [[visit, ...others] = [], ...visitors] = await storedVisits(store, site)
    assert.deepEqual([others.length, visitors.length], [0, 0])
    assert.deepEqual([visit?.entryPage, visit?.exitPage, visit?.source, visit?.duration], ['/early', '/late', 'first', 50 * MINUTE])
    assert.deepEqual(
      visit?.hits.map(({ page, props }) => [page, props]),
      [
        ['/early', {}],
        ['/', { plan: 'pro' }],
        ['/between', {}],
        ['/late', {}],
      ],
    )
    for (const table of ['hits', 'vitals', 'clicks'] as const) {
      assert.ok(
        (await all(table)).every(row => row.visit_id === 257),
        table,
      )
    }
    assert.equal((await all('clicks')).length, 2)
  })

  behaviour('three visits become one in one batch, through one another', async () => {
    for (const minute of [100, 0, 50])
      await append(hit({ page: `/${minute}`, ...at(minute) }), hit({ page: `/${minute + 1}`, ...at(minute + 1) }))
    assert.deepEqual(await append(hit({ page: '/25', ...at(25) }), hit({ page: '/75', ...at(75) })), ['stored', 'stored'])
    const [[visit, ...others] = []] = await storedVisits(store, site)
    assert.equal(others.length, 0)
    assert.deepEqual(
      visit?.hits.map(({ page }) => page),
      ['/0', '/1', '/25', '/50', '/51', '/75', '/100', '/101'],
    )
    assert.deepEqual(errors, [])
  })

  behaviour('hits of the last two days are taken, older ones and those of tomorrow are not', async () => {
    now = NOON
    const outcomes = await append(
      hit({ ...at(0), at: MIDNIGHT - MINUTE }),
      hit({ ...at(0), at: MIDNIGHT - DAY - MINUTE }),
      hit({ ...at(0), at: MIDNIGHT - 2 * DAY - MINUTE }),
      hit({ ...at(0), at: -8e15 }),
      hit({ ...at(0), at: NOON + 4 * MINUTE }),
      hit({ ...at(0), at: NOON + HOUR }),
      hit({ ...at(0), at: 8e15 }),
    )
    assert.deepEqual(outcomes, ['stored', 'stored', 'too_old', 'too_old', 'stored', 'in_future', 'in_future'])
    assert.deepEqual(
      (await drops()).map(({ day, reason, count }) => [day, reason, count]),
      [
        [20777, 'in_future', 2],
        [20777, 'too_old', 2],
      ],
    )
  })

  behaviour('one bad hit fails alone, and says why', async () => {
    const before = await hits.append([hit(at(0))])
    assert.equal(before[0]?.stored, true)
    const outcomes = await Promise.all([
      append(hit({ page: '/good', ...at(1) })),
      append(hit({ zone: 'Mars/Olympus', ...at(2), at: NOON - DAY })),
      append(hit({ ...at(0), at: NaN }), hit({ ...at(0), at: 1.5 }), event('\0', at(3)), hit({ page: '/fine', ...at(4) })),
    ])
    assert.deepEqual(outcomes, [['stored'], ['invalid'], ['invalid', 'invalid', 'invalid', 'stored']])
    assert.equal(errors.length, 1)
    const [[visit] = []] = await storedVisits(store, site)
    assert.deepEqual(
      visit?.hits.map(({ page }) => page),
      ['/', '/good', '/fine'],
    )
    assert.deepEqual(
      (await drops()).map(({ reason, count }) => [reason, count]),
      [['invalid', 4]],
    )
    const ids = await store.read.selectFrom('dict').select(['dim', 'id']).where('site_id', '=', site).execute()
    assert.deepEqual(
      ids
        .filter(({ dim }) => dim === dictionaryOf.page)
        .map(({ id }) => id)
        .sort(),
      [1, 2, 3],
    )
  })

  behaviour('whatever a sender makes up is brought into what both engines hold', async () => {
    const long = 'é'.repeat(2000)
    const wild = hit({
      page: `/\0nul\ud800${long}`,
      revenue: 1e300,
      visit: { source: '\0', city: 'Zürich 🚲' },
      props: [
        ['k\0', 'v', Infinity],
        ['k', 'again', 1],
        ['', 'no key', 2],
        [long, long, NaN],
      ],
      ...at(0),
    })
    const measured = [
      hit({ kind: 'engagement', page: wild.page, engagedMs: 1e18, scroll: -5, ...at(1) }),
      hit({ kind: 'engagement', page: wild.page, engagedMs: 9e7, scroll: NaN, ...at(2) }),
      hit({ kind: 'vitals', vitals: { lcp: 1e99, cls: -1, inp: NaN }, ...at(3) }),
      hit({ kind: 'clicks', clicks: [{ selector: long, x: -1, y: 1e99 }], ...at(4) }),
    ]
    assert.deepEqual(await append(wild, ...measured), Array(5).fill('stored'))
    assert.deepEqual(errors, [])
    const [[visit] = []] = await storedVisits(store, site)
    const [first] = visit?.hits ?? []
    assert.ok(Buffer.byteLength(first?.page ?? '') <= 1024)
    assert.ok(first?.page.startsWith('/nul\ufffdé') && first.page.endsWith('é'))
    assert.deepEqual([first?.engagedMs, first?.scroll, visit?.source], [86_400_000, 0, ''])
    assert.deepEqual(first?.props.k, 'v')
  })

  behaviour('texts are numbered densely from 1, one dictionary for all columns of pages', async () => {
    await append(...['/a', '/b', '/a', '/c'].map((page, i) => hit({ page, visitor: `v${i}`, ...at(i) })))
    await append(event('e', { page: '/b', visit: { channel: 'Direct' }, ...at(5), visitor: 'w' }), event('f', { page: '/d', ...at(6) }))
    const rows = await store.read.selectFrom('dict').selectAll().where('site_id', '=', site).orderBy('dim').orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ dim, id, value }) => [dim, id, value]),
      [
        ...['/a', '/b', '/c', '/d'].map((page, i) => [dictionaryOf.page, i + 1, page]),
        [dictionaryOf.event, 1, 'e'],
        [dictionaryOf.event, 2, 'f'],
        [dictionaryOf.channel, 1, 'Direct'],
      ],
    )
    assert.equal(dictionaryOf.entry_page, dictionaryOf.page)
  })

  behaviour('a restart changes nobody', async () => {
    await append(hit(at(0)))
    const again = openHitStore(store, { now: () => now, randomBytes })
    await again.append([hit(at(1)), hit(at(90))])
    await again.close()
    await append(hit(at(91)))
    assert.deepEqual(
      (await storedVisits(store, site)).map(visits => visits.map(({ pageviews }) => pageviews)),
      [[2, 2]],
    )
    await assert.rejects(again.append([hit(at(2))]), /closed/)
  })

  behaviour('a site that moves keeps its days whole', async () => {
    await append(hit(at(0)))
    now = MIDNIGHT + DAY + 2 * HOUR
    await append(hit({ site, zone: 'America/New_York', at: MIDNIGHT + DAY + HOUR }))
    assert.deepEqual(
      (await day()).map(({ starts_at, ends_at }) => [starts_at, ends_at]),
      [[MIDNIGHT, MIDNIGHT + DAY + 6 * HOUR]],
    )
    now += DAY
    await append(hit({ site, zone: 'America/New_York', at: MIDNIGHT + DAY + 6 * HOUR }))
    assert.deepEqual(
      (await day()).map(({ starts_at }) => starts_at),
      [MIDNIGHT, MIDNIGHT + DAY + 6 * HOUR],
    )
    assert.equal((await all('visits')).length, 3)
  })

  behaviour('drops are counted by site, day and reason, and written without a hit to carry them', async () => {
    hits.countDrop(site, 'Europe/Berlin', 'bot')
    hits.countDrop(site, 'Europe/Berlin', 'bot')
    await append(hit(at(0)))
    assert.deepEqual(await drops(), [{ site_id: site, day: 20777, reason: 'bot', count: 2 }])
    hits.countDrop(site, 'Europe/Berlin', 'bot')
    hits.countDrop(0, 'UTC', 'unknown_site')
    while ((await drops())[0]?.count !== 3) await new Promise(resolve => setTimeout(resolve, 50))
    assert.deepEqual(
      (await drops()).map(({ count }) => count),
      [3],
    )
    const unknown = await store.read.selectFrom('drops').selectAll().where('site_id', '=', 0).execute()
    assert.deepEqual(
      unknown.map(({ reason, count }) => [reason, count]),
      [['unknown_site', 1]],
    )
  })

  behaviour('when the database fails, the calls are told and nothing of them is kept', async () => {
    hits.countDrop(site, 'UTC', 'bot')
    await store.write.schema.alterTable('hits').renameTo('hits_away').execute()
    const calls = await Promise.allSettled([hits.append([hit(at(0))]), hits.append([hit(at(1))])])
    await store.write.schema.alterTable('hits_away').renameTo('hits').execute()
    assert.deepEqual(
      calls.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.deepEqual(
      [(await all('visits')).length, (await all('visitors')).length, (await day()).length, (await drops()).length],
      [0, 0, 0, 0],
    )
    assert.deepEqual(await append(hit({ page: '/after', ...at(2) })), ['stored'])
    assert.deepEqual(
      (await storedVisits(store, site)).map(visits => visits.map(({ entryPage }) => entryPage)),
      [['/after']],
    )
    assert.deepEqual(
      (await drops()).map(({ count }) => count),
      [1],
    )
  })
})
