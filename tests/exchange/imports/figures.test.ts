/**
 * Every metric by every dimension over imported days, days with hits, and both, against sums that this test makes of the same
 * rows and visits. A figure that a file does not know is null, also if other days know it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { type Importing, type Site, siteIn, startImporting, zipOf } from './site.ts'

type Row = Readonly<Record<string, string | number | null>>

function chance(seed: number) {
  let state = seed
  return (max: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % max
  }
}
const dateAt = (from: string, days: number) => new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
const dates = (from: string, to: string) => {
  const all = []
  for (let date = from; date <= to; date = dateAt(date, 1)) all.push(date)
  return all
}
const csv = (rows: readonly Row[]) => {
  const columns = Object.keys(rows[0] ?? {})
  return [columns.join(','), ...rows.map(row => columns.map(name => row[name] ?? '').join(','))].join('\n')
}

// ---- The imported file: 20 days. Its rows of one value overlap: two hosts of a page, two referrers of a source.
const FIRST = '2025-01-01'
const LAST = '2025-01-20'
interface Facts {
  /** Whether the file knows bounces, and time on pages. */
  readonly bounces: boolean
}

function fileWith({ bounces: knowsBounces }: Facts) {
  const next = chance(11)
  const known = (value: number) => (knowsBounces ? value : null)
  const counts = (max: number) => {
    const visits = 1 + next(max)
    const pageviews = visits + next(max)
    return { visitors: 1 + next(visits), visits, visit_duration: known(next(visits * 100)), bounces: known(next(visits + 1)), pageviews }
  }
  const all = dates(FIRST, LAST)
  const each = (texts: readonly Row[], max = 40) =>
    all.flatMap(date => texts.flatMap(text => (next(5) === 0 ? [] : [{ date, ...text, ...counts(max) }])))
  const utm = { utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '' }
  const entering = ({ visits, ...row }: Row, name: string): Row => ({ ...row, [name]: visits ?? null })
  return {
    visitors: all.map((date): Row => ({ date, ...counts(60) })),
    sources: each([
      { source: 'Google', referrer: 'google.com', ...utm },
      { source: 'Google', referrer: 'google.de', ...utm },
      { source: 'Google', referrer: '', ...utm, utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'spring' },
      { source: '', referrer: '', ...utm },
      { source: 'blog.example.org', referrer: 'blog.example.org/post', ...utm },
      { source: 'news', referrer: '', ...utm, utm_source: 'news', utm_medium: 'email', utm_campaign: 'weekly' },
    ]),
    pages: each([
      { hostname: 'example.com', page: '/' },
      { hostname: 'www.example.com', page: '/' },
      { hostname: 'example.com', page: '/pricing' },
      { hostname: 'example.com', page: '/deep' },
    ]).map(({ visit_duration: _, bounces: __, ...row }: Row): Row => ({ ...row, total_time_on_page: known(Number(row.visits) * 7) })),
    entry_pages: each([{ entry_page: '/' }, { entry_page: '/pricing' }]).map(row => entering(row, 'entrances')),
    exit_pages: each([{ exit_page: '/' }, { exit_page: '/pricing' }], 5).map(row => entering(row, 'exits')),
    locations: each([
      { country: 'DE', region: 'DE-BE', city: 'Berlin' },
      { country: 'DE', region: 'DE-BY', city: 'Munich' },
      { country: 'DE', region: 'DE-BY', city: 2867714 },
      { country: 'FR', region: '', city: '' },
    ]),
    devices: each([{ device: 'Desktop' }, { device: 'Laptop' }, { device: 'Mobile' }]),
    browsers: each([
      { browser: 'Chrome', browser_version: '120' },
      { browser: 'Chrome', browser_version: '121' },
      { browser: 'Firefox', browser_version: '122' },
    ]),
    operating_systems: each([
      { operating_system: 'Windows', operating_system_version: '10' },
      { operating_system: 'Windows', operating_system_version: '11' },
      { operating_system: 'macOS', operating_system_version: '14' },
    ]),
    custom_events: all.map((date): Row => ({ date, name: 'Signup', link_url: '', path: '', visitors: 1 + next(3), events: 3 + next(9) })),
  }
}
type Families = ReturnType<typeof fileWith>

/** The channels that the rows of sources above should get, by their source and medium. */
const channels: Readonly<Record<string, string>> = {
  'Google ': 'Organic Search',
  'Google cpc': 'Paid Search',
  ' ': 'Direct',
  'blog.example.org ': 'Referral',
  'news email': 'Email',
}
const devices: Readonly<Record<string, string>> = { Desktop: 'desktop', Laptop: 'desktop', Mobile: 'mobile' }

/** The rows of each dimension, and how a row names its value. */
const placed: Readonly<Record<string, readonly [keyof Families, (row: Row) => string]>> = {
  source: ['sources', row => String(row.source)],
  channel: ['sources', row => channels[`${row.source} ${row.utm_medium}`] ?? '?'],
  referrer: ['sources', row => String(row.referrer)],
  utm_source: ['sources', row => String(row.utm_source)],
  utm_medium: ['sources', row => String(row.utm_medium)],
  utm_campaign: ['sources', row => String(row.utm_campaign)],
  page: ['pages', row => String(row.page)],
  entry_page: ['entry_pages', row => String(row.entry_page)],
  exit_page: ['exit_pages', row => String(row.exit_page)],
  country: ['locations', row => String(row.country)],
  region: ['locations', row => String(row.region)],
  city: ['locations', row => (typeof row.city === 'number' ? '' : String(row.city))],
  device: ['devices', row => devices[String(row.device)] ?? '?'],
  browser: ['browsers', row => String(row.browser)],
  browser_version: ['browsers', row => String(row.browser_version)],
  os: ['operating_systems', row => String(row.operating_system)],
  os_version: ['operating_systems', row => String(row.operating_system_version)],
  event: ['custom_events', row => String(row.name)],
  weekday: ['visitors', row => String(((new Date(String(row.date)).getUTCDay() + 6) % 7) + 1)],
}
/** Dimensions that such a file says nothing about. */
const unplaced = ['utm_content', 'utm_term', 'hostname', 'language', 'screen', 'custom_channel', 'property:plan']

// ---- The visits of the site itself: from the 18th on, so that the last imported days do not count.
const SINCE = '2025-01-18'
const UNTIL = '2025-01-25'
interface Visit {
  readonly date: string
  readonly texts: Readonly<Record<string, string>>
  readonly pages: readonly string[]
  readonly engaged: readonly number[]
  readonly seconds: number
  readonly signups: number
  readonly cents: number
}

function visitsMade(): Visit[] {
  const next = chance(5)
  const of = <T>(...all: readonly [T, ...T[]]): T => all[next(all.length)] ?? all[0]
  return dates(SINCE, UNTIL).flatMap(date =>
    Array.from({ length: 1 + next(6) }, (): Visit => {
      const [source, channel] = of(['Google', 'Organic Search'], ['', 'Direct'], ['partner.example', 'Referral'])
      const pages = of(['/'], ['/pricing'], ['/', '/pricing'], ['/', '/own'])
      const [country, region, city] = of(['DE', 'DE-BE', 'Berlin'], ['AT', '', 'Vienna'])
      const [browser, browser_version] = of(['Chrome', '121'], ['Safari', '18'])
      const texts = {
        source,
        channel,
        country,
        region,
        city,
        browser,
        browser_version,
        device: of('desktop', 'tablet'),
        os: of('macOS', 'iOS'),
      }
      return {
        date,
        texts,
        pages,
        engaged: pages.map(() => 1_000 * next(20)),
        seconds: 30 * (pages.length - 1),
        signups: next(2),
        cents: 0,
      }
    }).map((visit, i) => (i === 0 ? { ...visit, signups: 1, cents: 1_000 + next(500) } : visit)),
  )
}
function hitsOf(visits: readonly Visit[]): string {
  const lines = visits.flatMap(({ date, texts, pages, engaged, seconds, signups, cents }, i) => {
    const at = (second: number) => new Date(Date.parse(`${date}T10:00:00Z`) + second * 1_000).toISOString()
    const said = { visitor: `v${i}`, ...texts }
    const views = pages.map((url, k) => ({ timestamp: at(30 * k), url, engaged_ms: engaged[k], ...said }))
    const event = { timestamp: at(seconds), url: pages.at(-1), name: 'Signup', ...said }
    return [...views, ...(signups > 0 ? [{ ...event, ...(cents > 0 && { revenue: cents / 100, currency: 'EUR' }) }] : [])]
  })
  return lines.map(line => JSON.stringify(line)).join('\n')
}

// ---- The oracle: sums in which null is unknown, and metrics of them.
type Sums = Readonly<
  Record<
    'visitors' | 'visits' | 'pageviews' | 'events' | 'revenue' | 'purchases' | 'entries' | 'bounces' | 'ms' | 'exits' | 'engaged',
    number | null
  >
>
const names = ['visitors', 'visits', 'pageviews', 'events', 'revenue', 'purchases', 'entries', 'bounces', 'ms', 'exits', 'engaged'] as const
const zero = Object.fromEntries(names.map(name => [name, 0])) as Sums
const unknown = Object.fromEntries(names.map(name => [name, null])) as Sums
const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)
/** Money belongs to the days that know it; other sums are unknown if they are on one of the days. */
const addAll = (all: readonly Sums[]): Sums => ({
  ...all.reduce((to, more) => Object.fromEntries(names.map(name => [name, plus(to[name], more[name])])) as Sums, zero),
  revenue: knownSum(all.map(({ revenue }) => revenue)),
  purchases: knownSum(all.map(({ purchases }) => purchases)),
})
function knownSum(all: readonly (number | null)[]): number | null {
  const known = all.filter(one => one !== null)
  return known.length === 0 && all.length > 0 ? null : known.reduce((sum, one) => sum + one, 0)
}
const count = (row: Row, name: string): number | null => (typeof row[name] === 'number' ? row[name] : null)
const times = (value: number | null, by: number) => (value === null ? null : value * by)

function sumsOf(family: keyof Families, row: Row): Sums {
  const visits = count(row, family === 'entry_pages' ? 'entrances' : family === 'exit_pages' ? 'exits' : 'visits')
  const own = { ...unknown, visitors: count(row, 'visitors'), visits, pageviews: count(row, 'pageviews') }
  if (family === 'custom_events') return { ...unknown, visitors: own.visitors, pageviews: 0, events: count(row, 'events') }
  if (family === 'pages') return { ...own, engaged: times(count(row, 'total_time_on_page'), 1_000) }
  return { ...own, entries: visits, bounces: count(row, 'bounces'), ms: times(count(row, 'visit_duration'), 1_000) }
}

const isBounce = ({ pages, signups }: Visit) => pages.length < 2 && signups === 0
function sumsOfVisit(visit: Visit): Sums {
  const sold = visit.cents > 0 ? 1 : 0
  const bounces = Number(isBounce(visit))
  const ms = isBounce(visit) ? 0 : visit.seconds * 1_000
  return { ...zero, visitors: 1, visits: 1, pageviews: visit.pages.length, revenue: visit.cents, purchases: sold, entries: 1, bounces, ms }
}
/** A visit in the rows of a dimension. */
function rowsOfVisit(dimension: string, visit: Visit): [string, Sums][] {
  const whole = sumsOfVisit(visit)
  if (dimension === 'page')
    return visit.pages.map((page, i) => {
      const own = {
        ...zero,
        visitors: 1,
        visits: 1,
        pageviews: 1,
        engaged: visit.engaged[i] ?? 0,
        exits: Number(i === visit.pages.length - 1),
      }
      return [page, i === 0 ? { ...own, entries: 1, bounces: whole.bounces, ms: whole.ms } : own]
    })
  if (dimension === 'event') return visit.signups > 0 ? [['Signup', { ...whole, pageviews: 0, events: 1 }]] : []
  if (dimension === 'entry_page') return [[visit.pages[0] ?? '', whole]]
  if (dimension === 'exit_page') return [[visit.pages.at(-1) ?? '', whole]]
  if (dimension === 'weekday') return [[placed.weekday?.[1]({ date: visit.date }) ?? '', whole]]
  return [[visit.texts[dimension] ?? '', whole]]
}

const ratio = (part: number | null, whole: number | null) => (whole === 0 ? 0 : part === null || whole === null ? null : part / whole)
const round = (value: number | null, digits = 0) => (value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits)
const percent = (part: number | null, whole: number | null) => {
  const of = ratio(part, whole)
  return of === null ? null : Math.min(100, Math.round(1_000 * of) / 10)
}
const metricsOf = (sums: Sums, all: Sums = zero) => ({
  visitors: sums.visitors,
  visits: sums.visits,
  pageviews: sums.pageviews,
  views_per_visit: round(ratio(sums.pageviews, sums.visits), 2),
  bounce_rate: percent(sums.bounces, sums.entries),
  visit_duration: round(ratio(sums.ms, sums.entries)),
  revenue: sums.revenue,
  purchases: sums.purchases,
  average_order: round(ratio(sums.revenue, sums.purchases)),
  events: sums.events,
  entries: sums.entries,
  exits: sums.exits,
  exit_rate: percent(sums.exits, sums.pageviews),
  time_on_page: round(ratio(sums.engaged, sums.visits)),
  share: percent(sums.visitors, all.visitors),
})

interface Asked {
  readonly file: Families
  readonly visits: readonly Visit[]
  readonly from: string
  readonly to: string
  readonly hasImported: boolean
}

const lies = (date: unknown, from: string, to: string) => String(date) >= from && String(date) <= to
function totalsIn({ file, visits, from, to, hasImported }: Asked): Sums {
  const rows = hasImported ? file.visitors.filter(({ date }) => lies(date, from, to) && String(date) < SINCE) : []
  return addAll([...rows.map(row => sumsOf('visitors', row)), ...visits.filter(({ date }) => lies(date, from, to)).map(sumsOfVisit)])
}

function rowsIn(dimension: string, asked: Asked): Map<string, Sums> {
  const { file, visits, from, to, hasImported } = asked
  const found = new Map<string, Sums[]>()
  const add = (value: string, sums: Sums) => found.set(value, [...(found.get(value) ?? []), sums])
  const [family, valueOf] = placed[dimension] ?? []
  if (hasImported && family && valueOf)
    for (const { date, visitors } of file.visitors) {
      if (!lies(date, from, to) || String(date) >= SINCE) continue
      const rows = file[family].filter(row => row.date === date)
      for (const value of new Set(rows.map(valueOf))) {
        const sums = addAll(rows.filter(row => valueOf(row) === value).map(row => sumsOf(family, row)))
        const own = (other: keyof Families, name: string) =>
          addAll(file[other].filter(row => row.date === date && row[name] === value).map(row => sumsOf(other, row)))
        const entered = own('entry_pages', 'entry_page')
        const ofPage = dimension === 'page' && {
          entries: entered.entries,
          bounces: entered.bounces,
          ms: entered.ms,
          exits: own('exit_pages', 'exit_page').visits,
        }
        add(value, { ...sums, ...ofPage, visitors: Math.min(sums.visitors ?? 0, Number(visitors)) })
      }
      // A page that is not in `pages` on a day may be entered or left on that day.
      if (dimension === 'page')
        for (const value of ['/', '/pricing', '/deep'].filter(page => !rows.some(row => valueOf(row) === page))) {
          const [entered, left] = (['entry_pages', 'exit_pages'] as const).map(other =>
            addAll(
              file[other].filter(row => row.date === date && (row.entry_page ?? row.exit_page) === value).map(row => sumsOf(other, row)),
            ),
          )
          if (entered && left)
            add(value, {
              ...zero,
              revenue: null,
              purchases: null,
              events: null,
              entries: entered.entries,
              bounces: entered.bounces,
              ms: entered.ms,
              exits: left.visits,
            })
        }
    }
  for (const visit of visits) if (lies(visit.date, from, to)) for (const [value, sums] of rowsOfVisit(dimension, visit)) add(value, sums)
  return new Map([...found].map(([value, all]) => [value, addAll(all)]))
}

for (const facts of [{ bounces: true }, { bounces: false }])
  onAnyEngine(`figures with imported days that ${facts.bounces ? 'know bounces' : 'do not know bounces'}`, engine => {
    let service: Importing
    let site: Site
    const [file, visits] = [fileWith(facts), visitsMade()]
    before(async () => {
      service = await startImporting(engine)
      site = await siteIn(service)
      const named = Object.entries(file).map(([name, rows]) => [`imported_${name}_20250101_20250120.csv`, csv(rows)])
      const done = await site.load('plausible', 'export.zip', await zipOf(Object.fromEntries(named)))
      assert.deepEqual([done.status, done.rows_refused], ['completed', 0])
      assert.deepEqual(
        done.ignored.map(({ what }: any) => what),
        ['locations: city'],
        'numbers of cities are named as left out',
      )
      const loaded = await site.load('footfall', 'hits.ndjson', hitsOf(visits))
      assert.deepEqual([loaded.status, loaded.rows_refused], ['completed', 0])
    })
    after(() => service.close())

    const ranges = [
      ['imported', '2025-01-03', '2025-01-12', true],
      ['native', '2025-01-19', '2025-01-25', true],
      ['mixed', '2025-01-10', '2025-01-22', true],
      ['all', '2024-12-20', '2025-01-25', true],
      ['mixed, left out', '2025-01-10', '2025-01-22', false],
    ] as const
    // Without bounces a normal run has only a range of both kinds of days.
    for (const [what, from, to, hasImported] of ranges.filter(([what]) => isFull || facts.bounces || what === 'mixed')) {
      const asked = { file, visits, from, to, hasImported }
      const over = { period: 'custom', from, to, include_imported: hasImported }
      const only = (expected: Record<string, unknown>, given: Record<string, unknown>) =>
        Object.fromEntries(Object.keys(given).flatMap(name => (Object.hasOwn(expected, name) ? [[name, expected[name]]] : [])))

      test(`the headline and the points of a range: ${what}`, async () => {
        const { metrics } = (await site.get('stats_aggregate', over)).data
        assert.deepEqual(metrics, only(metricsOf(totalsIn(asked)), metrics))
        for (const interval of ['day', 'week', 'month'] as const) {
          const { series } = (await site.get('stats_timeseries', { ...over, interval })).data
          for (const [i, { at, partial: _, ...point }] of series.entries()) {
            const [start, next] = [at.slice(0, 10), series[i + 1]?.at.slice(0, 10)]
            const last = next ? dateAt(next, -1) : to
            assert.deepEqual(
              point,
              only(metricsOf(totalsIn({ ...asked, from: [start, from].sort()[1] ?? from, to: last })), point),
              `${interval} ${at}`,
            )
          }
        }
      })

      test(`the rows of every dimension: ${what}`, async () => {
        const all = totalsIn(asked)
        for (const dimension of [...Object.keys(placed), ...unplaced]) {
          const { data, meta } = await site.get('stats_breakdown', { ...over, dimension, limit: 100 })
          const isPlaced = Object.hasOwn(placed, dimension)
          const hasDays = from < SINCE && hasImported
          assert.equal(meta.imported?.included, hasImported ? isPlaced && hasDays : undefined, dimension)
          if (hasDays && !isPlaced)
            assert.deepEqual(
              meta.notes.map(({ code }: any) => code),
              ['imported_left_out'],
            )
          if (!isPlaced) continue
          const expected = rowsIn(dimension, asked)
          assert.deepEqual(data.rows.map(({ value }: any) => value).sort(), [...expected.keys()].sort(), dimension)
          for (const { value, label: _, ...row } of data.rows as Record<string, any>[]) {
            const figures: Record<string, unknown> = metricsOf(expected.get(value) ?? zero, all)
            // Which revenue the rows of hits have is tested elsewhere.
            const left = ['page', 'event'].includes(dimension)
              ? ['revenue', 'purchases', 'average_order', 'bounce_rate', 'visit_duration']
              : []
            for (const name of left)
              if (figures[name] !== null && !(dimension === 'page' && name.startsWith('bounce'))) figures[name] = row[name]
            assert.deepEqual(row, only(figures, row), `${dimension} ${value}`)
            assert.ok(Number(row.share) <= 100 && Number(row.exit_rate ?? 0) <= 100)
          }
        }
      })
    }

    test('a comparison with imported days has their figures, and no change from an unknown one', async () => {
      const compared = { compare: 'custom', compare_from: '2025-01-05', compare_to: '2025-01-11' }
      const over = { period: 'custom', from: '2025-01-19', to: '2025-01-25', include_imported: true, ...compared }
      const { data, meta } = await site.get('stats_aggregate', over)
      const figures: Record<string, unknown> = metricsOf(
        totalsIn({ file, visits, from: '2025-01-05', to: '2025-01-11', hasImported: true }),
      )
      const { metrics, change } = data.comparison
      for (const [name, value] of Object.entries(metrics)) assert.equal(value, figures[name], name)
      assert.equal(change.revenue, null)
      assert.equal(change.bounce_rate === null, !facts.bounces)
      assert.deepEqual([meta.imported.from, meta.imported.to], ['2025-01-05', '2025-01-11'])
      const rows = (await site.get('stats_breakdown', { ...over, dimension: 'country' })).data.rows
      const before = rowsIn('country', { file, visits, from: '2025-01-05', to: '2025-01-11', hasImported: true })
      for (const row of rows) assert.equal(row.comparison.visits, before.get(row.value)?.visits ?? 0, row.value)
    })

    test('rows with an unknown figure come last, whatever the order', async () => {
      const over = { period: 'custom', from: '2025-01-10', to: '2025-01-25', include_imported: true, dimension: 'browser' }
      for (const order of ['asc', 'desc']) {
        const { rows } = (await site.get('stats_breakdown', { ...over, sort: 'revenue', order })).data
        const known: number[] = rows.flatMap((row: any) => row.revenue ?? [])
        assert.deepEqual(rows.map((row: any) => [row.value, row.revenue === null]).at(-1), ['Firefox', true], order)
        assert.deepEqual(
          rows
            .slice(0, 2)
            .map((row: any) => row.value)
            .sort(),
          ['Chrome', 'Safari'],
        )
        assert.deepEqual(
          known,
          known.toSorted((a, b) => (order === 'asc' ? a - b : b - a)),
        )
      }
    })

    test('revenue of a range with imported days covers the other days, without a change from days that have none', async () => {
      const mixed = { period: 'custom', from: '2025-01-10', to: '2025-01-22', include_imported: true }
      const native = { ...mixed, from: SINCE, include_imported: false }
      const only = ({ revenue, purchases, average_order }: any) => ({ revenue, purchases, average_order })
      const [{ data }, { data: own }] = [await site.get('stats_aggregate', mixed), await site.get('stats_aggregate', native)]
      assert.deepEqual(only(data.metrics), only(own.metrics))
      assert.ok(data.metrics.revenue > 0 && data.metrics.visits > own.metrics.visits)
      const before = { compare: 'custom', compare_from: '2025-01-12', compare_to: '2025-01-18' }
      const compared = await site.get('stats_aggregate', { ...mixed, from: '2025-01-19', to: '2025-01-25', ...before })
      const { metrics, change } = compared.data.comparison
      assert.ok(metrics.revenue > 0 && change.revenue === null && change.average_order === null && change.visits !== null)
      assert.ok(compared.meta.notes.some(({ code }: any) => code === 'imported_without'))
      const pages = (await site.get('stats_breakdown', { ...mixed, dimension: 'page', sort: 'visit_revenue', limit: 100 })).data.rows
      const ownPages = new Map(
        (await site.get('stats_breakdown', { ...native, dimension: 'page', sort: 'visit_revenue', limit: 100 })).data.rows.map(
          (row: any) => [row.value, row],
        ),
      )
      for (const row of pages) {
        const here: any = ownPages.get(row.value)
        assert.deepEqual(
          [row.revenue, row.visit_revenue, row.conversions],
          here ? [here.revenue, here.visit_revenue, here.conversions] : [null, null, null],
          row.value,
        )
      }
    })

    test('notes name the days, and the figures that are not known', async () => {
      const { meta } = await site.get('stats_aggregate', { period: 'custom', from: '2025-01-10', to: '2025-01-22', include_imported: true })
      const notes = new Map<string, string>(meta.notes.map(({ code, message }: any) => [code, message]))
      assert.match(notes.get('imported_included') ?? '', /2025-01-10 to 2025-01-17/)
      assert.match(notes.get('imported_without') ?? '', /revenue, purchases, average_order/)
      assert.equal(/bounce_rate/.test(notes.get('imported_unknown') ?? ''), !facts.bounces)
      const filtered = await site.get('stats_aggregate', {
        ...{ period: 'custom', from: '2025-01-10', to: '2025-01-22', include_imported: true },
        filters: [['country', 'is', 'DE']],
      })
      assert.deepEqual(
        filtered.meta.notes
          .filter(({ code }: any) => code === 'imported_left_out')
          .map(({ message }: any) => /cannot be filtered/.test(message)),
        [true],
      )
      const later = await site.get('stats_aggregate', {
        ...{ period: 'custom', from: '2025-01-19', to: '2025-01-22', include_imported: true },
        filters: [['country', 'is', 'DE']],
      })
      assert.deepEqual(later.meta.notes, [], 'nothing is left out of days with hits')
    })
  })
