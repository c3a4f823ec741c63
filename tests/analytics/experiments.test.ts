/** Experiments: numbers that can be checked by hand, and random ones against brute force. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { experiment } from '../../operations/analytics/experiments/experiment.ts'
import { answer } from '../../operations/analytics/engine/answer.ts'
import { openSources } from '../../operations/analytics/engine/store-source.ts'
import { apply, type Reader, type StatsAsked } from '../../operations/analytics/index.ts'
import { table } from '../../operations/index.ts'
import type { Sealer } from '../../operations/analytics/reader/reader.ts'
import { sealDays } from '../../operations/analytics/seal-days.ts'
import type { LiveSite } from '../../operations/sites/records.ts'
import { onEachEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { experimentOf } from './oracle/experiments.ts'
import { Oracle, type OracleFilter, type OracleGoal } from './oracle.ts'
import { addGoal, addSite, hit, type Sent, store as keep } from './traffic.ts'

const RUNS = Number(process.env.ORACLE_RUNS ?? 100)
const MINUTE = 60_000

onEachEngine('experiments', engine => {
  let service: TestService
  let world: World
  const day = Date.parse('2026-03-05T10:00:00+01:00')
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const send = (...hits: Sent[]) =>
    keep(service.store, hits.map(one => hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one)))
  async function ask(input: Record<string, unknown>) {
    const operation = table.operations.get('experiments_report')
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, goal_id: world.ids.goal, ...input }, world.token)
  }
  async function get(input: Record<string, unknown>) {
    const { status, body } = await ask(input)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const codes = (meta: { notes: { code: string }[] }) => meta.notes.map(({ code }) => code)

  test('nobody yet: no rows, and a note that says why', async () => {
    const { data, meta } = await get({ property: 'variant' })
    assert.deepEqual([data.control, data.rows, data.sample_ratio.result], [null, [], 'too_little_data'])
    assert.deepEqual(codes(meta), ['no_such_property'])
  })

  // 39 of 128 and 94 of 214: z and interval as R prints them, see significance.test.ts.
  test('rates, uplift, intervals and p of two variants', async () => {
    const shown = (variant: string, size: number, converting: number) =>
      Array.from({ length: size }, (_, i): Sent[] => {
        const who = `${variant}${i}`
        return [
          { who, at: day + i, event: 'Shown', props: { checkout: variant } },
          ...(i < converting ? [{ who, at: day + MINUTE + i, event: 'Signup' }] : []),
        ]
      }).flat()
    await send(...shown('old', 128, 39), ...shown('new', 214, 94))
    const { data, meta } = await get({ property: 'checkout', control: 'old', compare: 'previous_period' })
    const [variant, control] = data.rows
    assert.equal(data.control, 'old')
    assert.deepEqual(variant, {
      value: 'new', label: 'new', visitors: 214, visits: 214, conversions: 94, converters: 94, conversion_rate: 43.9,
      uplift: 44.2, uplift_interval: variant.uplift_interval, difference: 13.46,
      difference_interval: { from: 3.07, to: 23.84 }, z: 2.4703, p_value: 0.0135, result: 'better',
      message: variant.message,
      comparison: {
        visitors: 0, visits: 0, conversions: 0, converters: 0, conversion_rate: 0,
        change: { visitors: null, visits: null, conversions: null, converters: null, conversion_rate: null },
      },
    })
    assert.match(variant.message, /^Converts better than old: 43\.9% against 30\.5%, an uplift of \+44\.2%/)
    assert.deepEqual([control.result, control.uplift, control.p_value, control.message],
      ['control', null, null, 'The control: 30.5% of 128 visitors converted.'])
    // (214 − 171)² / 171 · 2
    assert.deepEqual([data.sample_ratio.chi_square, data.sample_ratio.result], [21.6257, 'uneven'])
    assert.deepEqual(meta.notes, [])

    const turned = (await get({ property: 'checkout' })).data
    assert.equal(turned.control, 'new', 'the variant with the most visits')
    assert.deepEqual([turned.rows[1].result, turned.rows[1].z, turned.rows[1].uplift], ['worse', -2.4703, -30.6])
  })

  test('who met two variants counts for none; a conversion before, or another day, is none', async () => {
    const show = (who: string, variant: string, at: number): Sent =>
      ({ who, at, event: 'Shown', props: { hero: variant } })
    const convert = (who: string, at: number): Sent => ({ who, at, event: 'Signup' })
    await send(
      convert('early', day - MINUTE), show('early', 'b', day),
      show('twice', 'b', day + 1), convert('twice', day + 2), show('twice', 'control', day + 3),
      show('much', 'b', day + 4), convert('much', day + 5), convert('much', day + 3 * 60 * MINUTE),
      { who: 'viewed', at: day + 6, page: '/', props: { hero: 'control' } }, convert('viewed', day + 7),
      show('again', 'control', day + 8), show('again', 'control', day + 2 * 60 * MINUTE),
      convert('again', day + 24 * 60 * MINUTE),
    )
    const { data, meta } = await get({ property: 'hero' })
    const counts = data.rows.map((row: Record<string, unknown>) =>
      [row.value, row.visitors, row.visits, row.converters, row.conversions, row.conversion_rate])
    assert.deepEqual(counts, [['control', 2, 3, 1, 1, 50], ['b', 2, 2, 1, 2, 50]])
    assert.equal(data.control, 'control')
    assert.equal(data.rows[1].result, 'too_little_data')
    assert.match(data.rows[1].message, /^Too little data to tell/)
    assert.deepEqual(codes(meta), ['several_variants'])
    assert.match(meta.notes[0].message, /: 1 in the period/)
  })

  test('at most 20 variants, and the control among them whatever its rank', async () => {
    await send(...Array.from({ length: 60 }, (_, i): Sent =>
      ({ who: `many${i}`, at: day + i, event: 'Shown', props: { many: i < 2 ? 'control' : `v${i % 25}` } })))
    const named = (await get({ property: 'many', control: 'v24' })).data
    const has = named.rows.some((row: { value: string }) => row.value === 'v24')
    assert.deepEqual([named.rows.length, named.control, has], [21, 'v24', true])
    const { data, meta } = await get({ property: 'many' })
    assert.deepEqual([data.control, data.rows.length], ['control', 20])
    assert.deepEqual(codes(meta), ['more_variants', 'several_comparisons'])
  })

  test('what is wrong is said at once, with what would do', async () => {
    const { status, body } = await ask({ goal_id: 'goal_none', property: 'hero', filters: [['land', 'is', 'x']] })
    assert.equal(status, 422)
    assert.deepEqual(body.error.details.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [['/filters/0/0', 'not_in_enum'], ['/goal_id', 'not_found']])
    assert.match(body.error.details[1].message, new RegExp(`${world.ids.goal} \\(Signup\\)`))

    const control = await ask({ property: 'hero', control: 'c' })
    assert.deepEqual([control.status, control.body.error.details[0].pointer], [422, '/control'])
    assert.match(control.body.error.details[0].message, /"b", "control"/)
    assert.equal((await ask({})).status, 422)

    const foreign = await makeWorld(service)
    const theirs = (await ask({ property: 'hero', goal_id: foreign.ids.goal })).body.error.details[0]
    const unknown = (await ask({ property: 'hero', goal_id: 'goal_x' })).body.error.details[0]
    assert.equal(theirs.message.replace(foreign.ids.goal, ''), unknown.message.replace('goal_x', ''))
  })
})

const places = [
  ['Europe/Berlin', '2026-03-29T12:00Z'], ['Asia/Kathmandu', '2026-05-05T12:00Z'],
  ['America/New_York', '2026-11-01T12:00Z'],
] as const
const goals: readonly OracleGoal[] = [
  { id: 'goal_a', name: 'Docs', path: '/docs/*' },
  { id: 'goal_b', name: 'Signup', event: 'signup' },
  { id: 'goal_c', name: 'Pro', event: 'signup', property: 'variant', value: 'b' },
]

const sent = fc.record({
  who: fc.nat(12), minute: fc.nat(4 * 1440), minutes: fc.integer({ min: 1, max: 50 }), near: fc.boolean(),
  page: fc.constantFrom('/', '/docs/a', '/docs/b'), event: fc.constantFrom('', '', 'signup', 'shown'),
  variant: fc.constantFrom(null, null, 'a', 'a', 'b', 'control'), country: fc.constantFrom('DE', 'FR'),
  late: fc.nat(9),
})
const condition: fc.Arbitrary<OracleFilter> = fc.constantFrom<OracleFilter>(
  ['country', 'is', 'DE'], ['page', 'is_not', '/docs/a'], ['goal', 'is', 'Signup'], ['goal', 'is_not', 'Docs'],
  ['event', 'is', 'shown'], ['property:variant', 'any_of', ['a', 'b']], ['property:variant', 'is_not', 'b'],
  ['property:variant', 'contains', 'o'],
  { any: [['country', 'is', 'FR'], ['goal', 'is', 'Pro']] },
)
const asked = fc.record({
  place: fc.nat(places.length - 1), goal: fc.nat(goals.length - 1), filters: fc.array(condition, { maxLength: 3 }),
  period: fc.constantFrom('today', 'yesterday', '24h', '7d', 'all') as fc.Arbitrary<StatsAsked['period']>,
  compare: fc.constantFrom('none', 'previous_period') as fc.Arbitrary<StatsAsked['compare']>,
  later: fc.integer({ min: 1, max: 1440 }),
  /** Days that ended by then are sealed first, in hours before the last hit. */
  sealed: fc.constantFrom(null, 24, 48, 72),
})

onEachEngine('experiments against brute force', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let reader: Reader & Sealer
  const sites: { site: LiveSite; oracle: Oracle; last: number }[] = []
  before(async () => {
    database = await engine.create()
    const { store } = database
    const sources = openSources(store, 4_000_000, () => performance.now())
    reader = {
      query: query => sources.at(query.site, source => answer(query, source)) as never, seal: sources.seal,
      close: async () => {},
    }
    const seed = Number(process.env.ORACLE_SEED ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`traffic from seed ${seed}`)
    for (const [i, [zone, around]] of places.entries()) {
      const site = await addSite(store, zone)
      for (const goal of goals) await addGoal(store, site, `${goal.id}_${site.number}`, goal)
      let before = { minute: 0, who: 0 }
      const list = fc.array(sent, { minLength: 150, maxLength: 250 })
      const drawn = fc.sample(list, { seed: seed + i, numRuns: 1 })[0] ?? []
      const hits = drawn.map(({ near, minutes, variant, country, late, ...one }, n) => {
        before = near ? { who: before.who, minute: before.minute + minutes } : one
        const at = Date.parse(around) - 2 * 1440 * MINUTE + before.minute * MINUTE + n
        const props: Record<string, string> = variant === null ? {} : { variant }
        const { page, event } = one
        const who = `v${before.who}`
        return { late: late === 0, hit: hit(site, { who, at, page, event, props, visit: { country } }) }
      }).sort((a, b) => a.hit.at - b.hit.at)
      const last = hits.at(-1)?.hit.at ?? 0
      const late = hits.filter(one => one.late && one.hit.at > last - 40 * 60 * MINUTE)
      const onTime = hits.filter(one => !one.late)
      const stored = await keep(store, [...onTime, ...late].map(one => one.hit), 7)
      const own = goals.map(goal => ({ ...goal, id: `${goal.id}_${site.number}` }))
      sites.push({ site, last, oracle: new Oracle(stored, zone, own) })
    }
  })
  after(() => database.drop())
  const seal = (at: number) => sealDays({
    store: database.store, reader, now: () => at, signal: new AbortController().signal, leastVisitors: 0,
    failed(_, error) { throw error },
  })

  test('every count of every variant', () => fc.assert(fc.asyncProperty(asked, async drawn => {
    const { place, goal, later, sealed, ...input } = drawn
    const { site, oracle, last } = sites[place] ?? assert.fail()
    if (sealed !== null) await seal(last - sealed * 60 * MINUTE)
    const applied = await apply(database.store.read, site, last + later * MINUTE, input)
    const wanted = oracle.goals[goal] ?? assert.fail()
    const of = applied.goals.find(({ id }) => id === wanted.id) ?? assert.fail()
    const { data, meta } = await experiment(applied, of, { property: 'variant' }, reader)

    const expected = experimentOf(oracle, 'variant', wanted, applied.range, input.filters)
    const countsOf = ({ visitors, visits, converters, conversions }: (typeof data.rows)[number]) =>
      ({ visitors, visits, converters, conversions })
    assert.deepEqual(new Map(data.rows.map(row => [row.value, countsOf(row)])), expected.arms)
    assert.equal(meta.notes.some(({ code }) => code === 'several_variants'), expected.mixed > 0)
    const told = meta.notes.some(({ message }) => message.endsWith(`: ${expected.mixed} in the period.`))
    assert.equal(told, expected.mixed > 0)
    for (const [i, row] of data.rows.entries()) assert.ok(row.visits >= (data.rows[i + 1]?.visits ?? 0))
    if (!applied.comparison) return
    const before = experimentOf(oracle, 'variant', wanted, applied.comparison, input.filters).arms
    for (const { value, comparison } of data.rows) {
      const { visitors, visits, converters, conversions } = comparison ?? assert.fail()
      assert.deepEqual({ visitors, visits, converters, conversions },
        before.get(value) ?? { visitors: 0, visits: 0, converters: 0, conversions: 0 })
    }
  }), { numRuns: RUNS }))
})
