/** Experiments: numbers checked by hand. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { iso } from '../../runtime/table/schema.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

const MINUTE = 60_000

onAnyEngine('experiments', engine => {
  let service: TestService
  let world: World
  const day = Date.parse('2026-03-05T10:00:00+01:00')
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const send = (...hits: Sent[]) =>
    keep(
      service.store,
      hits.map(one => hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one)),
    )
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

  test('without visitors, the experiment has no rows, and a note with the reason', async () => {
    const { data, meta } = await get({ property: 'variant' })
    assert.deepEqual([data.control, data.rows, data.sample_ratio.result], [null, [], 'too_little_data'])
    assert.deepEqual(codes(meta), ['no_data_yet', 'no_such_property'])
  })

  // 39 of 128 and 94 of 214: z and interval as in R, see significance.test.ts.
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
      value: 'new',
      label: 'new',
      visitors: 214,
      visits: 214,
      conversions: 94,
      converters: 94,
      conversion_rate: 43.9,
      first_shown_at: iso(day),
      uplift: 44.2,
      uplift_interval: variant.uplift_interval,
      difference: 13.46,
      difference_interval: { from: 3.07, to: 23.84 },
      z: 2.4703,
      p_value: 0.0135,
      exact_p_value: null,
      corrected_p_value: 0.0135,
      sequential_p_value: 0.4245,
      result: 'better',
      message: variant.message,
      comparison: {
        visitors: 0,
        visits: 0,
        conversions: 0,
        converters: 0,
        conversion_rate: 0,
        change: { visitors: null, visits: null, conversions: null, converters: null, conversion_rate: null },
      },
    })
    assert.match(variant.message, /^Converts better than old: 43\.9% against 30\.5%, an uplift of \+44\.2%/)
    assert.deepEqual(
      [control.result, control.uplift, control.p_value, control.message],
      ['control', null, null, 'The control: 30.5% of 128 visitors converted.'],
    )
    // (214 − 171)² / 171 · 2
    assert.deepEqual([data.sample_ratio.chi_square, data.sample_ratio.result], [21.6257, 'uneven'])
    assert.deepEqual(codes(meta), ['comparison_before_first_day', 'uneven_split'])
    // (z(0.975) √(2m(1 − m)) + z(0.8) √(p(1 − p) + q(1 − q)))² / (q − p)² with p = 39/128, q = 1.1 p and m their mean
    assert.deepEqual([data.duration.uplift, data.duration.visitors_needed, data.duration.days_left > 0], [10, 3_678, true])
    const double = (await get({ property: 'checkout', control: 'old', wished_uplift: 100 })).data.duration
    assert.deepEqual([double.visitors_needed, double.days_left], [41, 0])

    const turned = (await get({ property: 'checkout' })).data
    assert.equal(turned.control, 'new', 'the variant with the most visits')
    assert.deepEqual([turned.rows[1].result, turned.rows[1].z, turned.rows[1].uplift], ['worse', -2.4703, -30.6])
  })

  test('a visitor of two variants counts for neither; a conversion before, or on another day, does not count', async () => {
    const show = (who: string, variant: string, at: number): Sent => ({ who, at, event: 'Shown', props: { hero: variant } })
    const convert = (who: string, at: number): Sent => ({ who, at, event: 'Signup' })
    await send(
      convert('early', day - MINUTE),
      show('early', 'b', day),
      show('twice', 'b', day + 1),
      convert('twice', day + 2),
      show('twice', 'control', day + 3),
      show('much', 'b', day + 4),
      convert('much', day + 5),
      convert('much', day + 3 * 60 * MINUTE),
      { who: 'viewed', at: day + 6, page: '/', props: { hero: 'control' } },
      convert('viewed', day + 7),
      show('again', 'control', day + 8),
      show('again', 'control', day + 2 * 60 * MINUTE),
      convert('again', day + 24 * 60 * MINUTE),
    )
    const { data, meta } = await get({ property: 'hero' })
    const counts = data.rows.map((row: Record<string, unknown>) => [
      row.value,
      row.visitors,
      row.visits,
      row.converters,
      row.conversions,
      row.conversion_rate,
    ])
    assert.deepEqual(counts, [
      ['control', 2, 3, 1, 1, 50],
      ['b', 2, 2, 1, 2, 50],
    ])
    assert.equal(data.control, 'control')
    assert.equal(data.rows[1].result, 'too_little_data')
    assert.match(data.rows[1].message, /^Too little data: the test/)
    assert.deepEqual(codes(meta), ['several_variants'])
    assert.match(meta.notes[0].message, /: 1 in the period/)

    // Of the filters only what is asked of properties leaves the base as it is, and no visitor converts under it.
    const filters = [
      ['event', 'any_of', ['Shown', 'Signup']],
      ['property:nothing', 'is', 'nowhere'],
    ]
    const under = await get({ property: 'hero', filters })
    assert.deepEqual(
      under.data.rows.map((row: Record<string, unknown>) => [row.value, row.visitors, row.conversions]),
      [
        ['control', 2, 0],
        ['b', 2, 0],
      ],
    )
  })

  test('a split of 90 to 10, or one stray variant, is an answer: uneven, from when, and who had how many', async () => {
    const shown = (experiment: string, variant: string, size: number, from = day) =>
      Array.from(
        { length: size },
        (_, i): Sent => ({
          who: `${experiment} ${variant} ${i}`,
          at: from + i,
          event: 'Shown',
          props: { [experiment]: variant },
        }),
      )
    await send(...shown('tilted', 'a', 2_070), ...shown('tilted', 'b', 230, day + 10 * MINUTE))
    const { data, meta } = await get({ property: 'tilted', from: '2026-03-01', to: '2026-03-10', period: 'custom' })
    assert.deepEqual([data.sample_ratio.p_value, data.sample_ratio.result], [0, 'uneven'])
    assert.deepEqual(codes(meta), ['uneven_split'])
    assert.match(meta.notes[0].message, /"a" 2,070, "b" 230.*0\.01/)
    assert.deepEqual(
      [data.first_shown_at, ...data.rows.map((row: { first_shown_at: string }) => row.first_shown_at)],
      [iso(day), iso(day), iso(day + 10 * MINUTE)],
    )
    assert.equal((await get({ property: 'tilted', period: 'today' })).data.first_shown_at, null, 'nobody was shown it since')

    await send(...shown('stray', 'a', 1_000), ...shown('stray', 'b', 1_000), ...shown('stray', 'undefined', 1))
    const stray = await get({ property: 'stray' })
    assert.deepEqual([stray.data.rows.length, stray.data.sample_ratio.result], [3, 'uneven'])
  })

  test('at most 20 variants, and the control among them whatever its rank', async () => {
    await send(
      ...Array.from(
        { length: 60 },
        (_, i): Sent => ({ who: `many${i}`, at: day + i, event: 'Shown', props: { many: i < 2 ? 'control' : `v${i % 25}` } }),
      ),
    )
    const named = (await get({ property: 'many', control: 'v24' })).data
    const has = named.rows.some((row: { value: string }) => row.value === 'v24')
    assert.deepEqual([named.rows.length, named.control, has], [21, 'v24', true])
    const { data, meta } = await get({ property: 'many' })
    assert.deepEqual([data.control, data.rows.length], ['control', 20])
    assert.deepEqual(codes(meta), ['more_variants', 'several_comparisons'])
  })

  test('all faults are reported at once, with accepted values', async () => {
    const { status, body } = await ask({ goal_id: 'goal_none', property: 'hero', filters: [['land', 'is', 'x']] })
    assert.equal(status, 422)
    assert.deepEqual(
      body.error.details.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [
        ['/filters/0/0', 'not_in_enum'],
        ['/goal_id', 'not_found'],
      ],
    )
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
