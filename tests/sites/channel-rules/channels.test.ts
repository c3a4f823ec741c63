/** Channels of a site's own: as visits come in, as a preview, and applied to visits of the past. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { applyChannels } from '../../../operations/sites/channel-rules/apply.ts'
import { siteChannels } from '../../../operations/sites/channel-rules/site-channels.ts'
import { arrivalDimensions, type ArrivalTexts } from '../../../storage/hits/arrivals.ts'
import type { Store } from '../../../storage/store.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf, column, faultsOf } from '../../support/replies.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('channel rules', engine => {
  let service: TestService
  let world: World
  let base: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
    service.clock.now++ // jobs come after the one of the world
    base = `/sites/${world.ids.site}/channel_rules`
  })

  const call = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, body })
  const inForce = () => new Promise(resolve => setTimeout(resolve, 1_100))
  let people = 0
  async function visit(query: string, referrer = '') {
    const reply = await request(service, 'POST', '/api/event', {
      token: world.token,
      body: { n: 'pageview', u: `https://${world.ids.domain}/${query}`, d: world.ids.site, r: referrer, ip: `203.0.113.${++people % 250}` },
      headers: { 'User-Agent': chrome },
    })
    assert.equal(reply.status, 202, reply.text)
  }
  async function channels(dimension = 'custom_channel'): Promise<Record<string, number>> {
    const { body } = await call('GET', `/sites/${world.ids.site}/breakdown/${dimension}?period=today&limit=50`)
    return Object.fromEntries(body.data.rows.map(({ value, visits }: { value: string; visits: number }) => [value, visits]))
  }
  const is = (field: string, value: string, operator = 'is') => ({ field, operator, value })
  /** As the background task would, interrupted after so many transactions. */
  function apply(max = Infinity) {
    const stop = new AbortController()
    let transactions = 0
    const store = {
      ...service.store,
      transaction: <T>(run: (trx: never) => Promise<T>) => {
        if (++transactions >= max) stop.abort()
        return service.store.transaction(run as never) as Promise<T>
      },
    }
    return applyChannels({ ...taskContext(service.app, stop.signal), store: store as Store })
  }

  test('the first matching channel rule decides custom_channel, and the default channel stays as well', async () => {
    await call('POST', base, {
      channel: 'Partners',
      match: 'any',
      conditions: [is('utm_source', 'Acme'), is('referrer', 'partner.example/shop', 'starts_with')],
    })
    await call('POST', base, {
      channel: 'Sale',
      conditions: [is('utm_campaign', '^sale-\\d+$', 'regex'), is('entry_page', '/landing', 'contains')],
    })
    await call('POST', base, { channel: 'Never', conditions: [is('utm_source', 'acme')] })
    await inForce()
    await visit('?utm_source=ACME&utm_medium=podcast') // the example's rule for podcasts comes first
    await visit('?utm_source=acme')
    await visit('', 'https://www.partner.example/shop/1')
    await visit('landing?utm_campaign=SALE-26')
    await visit('other?utm_campaign=sale-26')
    await visit('', 'https://www.google.com/')
    assert.deepEqual(await channels(), { Partners: 2, Podcasts: 1, Sale: 1, Direct: 1, 'Organic Search': 1 })
    assert.deepEqual(await channels('channel'), { Referral: 2, Direct: 2, Audio: 1, 'Organic Search': 1 })
    const filters = encodeURIComponent(JSON.stringify([['custom_channel', 'is', 'Partners']]))
    const { body } = await call('GET', `/sites/${world.ids.site}/stats/aggregate?period=today&filters=${filters}`)
    assert.equal(body.data.metrics.visits, 2)
  })

  test('a channel rule finds an internationalized host by either form', async () => {
    await call('POST', base, { channel: 'In letters', conditions: [is('source', 'B\u00dcCHER.example')] })
    await call('POST', base, { channel: 'In ASCII', conditions: [is('referrer', 'XN--MNCHEN-3YA.example/a', 'starts_with')] })
    await call('POST', base, { channel: 'By pattern', conditions: [is('referrer', '^k\u00f6ln\\.', 'regex')] })
    await call('POST', base, { channel: 'Composed', conditions: [is('utm_campaign', 'cafe\u0301')] })
    await inForce()
    await visit('', 'https://b\u00fccher.example/')
    await visit('', 'https://m\u00fcnchen.example/ab')
    await visit('', 'https://k\u00f6ln.example/')
    await visit('?utm_campaign=caf\u00e9')
    assert.deepEqual(await channels(), { 'In letters': 1, 'In ASCII': 1, 'By pattern': 1, Composed: 1 })
  })

  test('order: created in a place, moved, reordered, closed after a deletion', async () => {
    const add = async (channel: string, position?: number) =>
      (await call('POST', base, { channel, conditions: [is('source', 'x')], ...(position && { position }) })).body.data
    const [b, a] = [await add('B'), await add('A', 1)]
    const order = async () => column(await call('GET', base), 'channel')
    assert.deepEqual(await order(), ['A', 'Podcasts', 'B'])
    assert.equal((await call('PATCH', `${base}/${b.id}`, { position: 1 })).body.data.position, 1)
    assert.deepEqual(await order(), ['B', 'A', 'Podcasts'])
    const podcasts = world.ids.channel_rule
    assert.equal((await call('POST', `${base}/order`, { ids: [podcasts, a.id, b.id] })).status, 200)
    assert.deepEqual(await order(), ['Podcasts', 'A', 'B'])
    assert.deepEqual(faultsOf(await call('POST', `${base}/order`, { ids: [podcasts, a.id] })), ['/ids mismatch'])
    assert.deepEqual(faultsOf(await call('POST', `${base}/order`, { ids: [podcasts, a.id, a.id] })), ['/ids mismatch'])
    assert.deepEqual(faultsOf(await call('POST', `${base}/order`, { ids: ['chr_x', a.id, b.id] })), ['/ids/0 not_found'])
    await call('DELETE', `${base}/${podcasts}`)
    assert.deepEqual(column(await call('GET', base), 'position'), [1, 2])
  })

  test('a preview says what would change; applying does it, resumed after an interruption, and reports follow', async () => {
    service.clock.now -= 86_400_000
    await visit('?utm_source=acme')
    service.clock.now += 86_400_000
    for (let i = 0; i < 5; i++) await visit('?utm_source=acme')
    await visit('')
    assert.deepEqual(await channels(), { Referral: 5, Direct: 1 })
    await call('POST', base, { channel: 'Partners', conditions: [is('utm_source', 'acme')] })
    const days = { from: '2026-03-10', to: '2026-03-10' }
    const preview = (await call('GET', `${base}/preview?from=${days.from}&to=${days.to}`)).body.data
    assert.deepEqual(preview, {
      visits: 6,
      changed: 5,
      rows: [
        { before: 'Referral', after: 'Partners', visits: 5 },
        { before: 'Direct', after: 'Direct', visits: 1 },
      ],
    })
    const asked = await call('POST', `${base}/apply`, days)
    assert.deepEqual([asked.status, asked.body.data.status], [201, 'pending'])
    assert.deepEqual(codeOf(await call('POST', `${base}/apply`, days)), [422, 'invalid_state'])
    await apply(1)
    assert.equal(await apply(), false)
    const [job] = (await call('GET', `${base}/apply`)).body.data
    assert.deepEqual([job.id, job.status, job.progress, job.changed], [asked.body.data.id, 'completed', 100, 5])
    assert.deepEqual(await channels(), { Partners: 5, Direct: 1 })
    assert.deepEqual(await channels('channel'), { Referral: 5, Direct: 1 })
    assert.equal((await call('GET', `${base}/preview?from=${days.from}&to=${days.to}`)).body.data.changed, 0)
    const earlier = await service.store.read
      .selectFrom('visits')
      .select('rev')
      .where('site_id', '=', world.siteNumber)
      .where('day', '=', 20_521)
      .execute()
    assert.deepEqual(
      earlier.map(({ rev }) => rev),
      [1],
      'a day that was not asked for is as it was',
    )
    await inForce()
    await visit('?utm_source=acme')
    assert.deepEqual(await channels(), { Partners: 6, Direct: 1 }, 'new visits share the dictionary')
  })

  /** So many visits of the example day, and a job for it. */
  async function asked(visits: number) {
    for (let i = 0; i < visits; i++) await visit('?utm_source=acme')
    await call('POST', base, { channel: 'Partners', conditions: [is('utm_source', 'acme')] })
    return (await call('POST', `${base}/apply`, { from: '2026-03-10', to: '2026-03-10' })).body.data.id as string
  }
  const job = async () => (await call('GET', `${base}/apply`)).body.data[0]

  test('a job can be cancelled: nothing more is changed, and the rules can be applied again', async () => {
    const id = await asked(3)
    const cancelled = await call('POST', `${base}/apply/${id}/cancel`)
    assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'cancelled'])
    assert.notEqual(cancelled.body.data.finished_at, null)
    assert.deepEqual(codeOf(await call('POST', `${base}/apply/${id}/cancel`)), [422, 'invalid_state'])
    await apply()
    assert.deepEqual([(await job()).status, await channels()], ['cancelled', { Referral: 3 }])
    service.clock.now++
    assert.equal((await call('POST', `${base}/apply`, { from: '2026-03-10', to: '2026-03-10' })).status, 201)
    await apply()
    assert.deepEqual([(await job()).status, await channels()], ['completed', { Partners: 3 }])
  })

  for (const what of ['cancelled', 'finished by another run'] as const) {
    test(`a run whose job was ${what} while it stood still changes nothing more, and fails nothing`, async () => {
      const id = await asked(3)
      let stood = false
      const store: Store = {
        ...service.store,
        async transaction(run) {
          if (!stood) {
            stood = true
            if (what === 'cancelled') await call('POST', `${base}/apply/${id}/cancel`)
            else {
              await apply()
              const [rule] = (await call('GET', base)).body.data.filter(({ channel }: { channel: string }) => channel === 'Partners')
              await call('PATCH', `${base}/${rule.id}`, { channel: 'Friends' })
            }
          }
          return service.store.transaction(run)
        },
      }
      await applyChannels({ ...taskContext(service.app), store })
      assert.ok(stood)
      const { status, changed } = await job()
      const kept = what === 'cancelled' ? ['cancelled', 0, { Referral: 3 }] : ['completed', 3, { Partners: 3 }]
      assert.deepEqual([status, changed, await channels()], kept)
    })
  }

  test('rules that a failover lost are not confused with a later change of the same revision', async () => {
    const id = world.ids.site ?? ''
    const { write } = service.store
    const channelsOf = siteChannels(service.store.read)
    const arrival = Object.fromEntries(arrivalDimensions.map(name => [name, name === 'utm_source' ? 'acme' : '']))
    const channel = async () => (await channelsOf([id])).get(id)?.({ ...arrival, channel: 'Referral' } as ArrivalTexts)
    const made = await call('POST', base, { channel: 'Lost', conditions: [is('utm_source', 'acme')] })
    assert.equal(await channel(), 'Lost')
    service.clock.now += 5_000
    await call('PATCH', `${base}/${made.body.data.id}`, { channel: 'Kept' })
    await write
      .updateTable('channel_rule_sets')
      .set(({ eb }) => ({ revision: eb('revision', '-', 1) }))
      .where('site_id', '=', id)
      .execute()
    assert.equal(await channel(), 'Kept')
  })

  test('without its rules a site has its default channels again, once that is applied', async () => {
    await visit('?utm_medium=podcast')
    assert.deepEqual(
      await channels(),
      { Audio: 1 },
      'a rule of the example world that was put beside the service is read with the next change',
    )
    await call('PATCH', `${base}/${world.ids.channel_rule}`, { channel: 'Shows' })
    await inForce()
    await visit('?utm_medium=podcast')
    assert.deepEqual(await channels(), { Audio: 1, Shows: 1 })
    await call('DELETE', `${base}/${world.ids.channel_rule}`)
    await call('POST', `${base}/apply`, { from: '2026-03-10', to: '2026-03-10' })
    await apply()
    assert.deepEqual(await channels(), { Audio: 2 })
  })

  test('meaningless rules are refused with all faults', async () => {
    const reply = await call('POST', base, {
      channel: '',
      match: 'none',
      conditions: [{ field: 'city', operator: 'like', value: '', more: 1 }],
    })
    assert.deepEqual(faultsOf(reply).sort(), [
      '/channel too_short',
      '/conditions/0/field not_in_enum',
      '/conditions/0/more unknown_field',
      '/conditions/0/operator not_in_enum',
      '/conditions/0/value too_short',
      '/match not_in_enum',
    ])
    assert.deepEqual(faultsOf(await call('POST', base, { channel: 'x', conditions: [] })), ['/conditions too_short'])
    assert.deepEqual(
      faultsOf(
        await call('POST', base, { channel: 'x', conditions: [is('source', '(a', 'regex'), is('source', 'a{5000}{5000}', 'regex')] }),
      ),
      ['/conditions/0/value invalid_format', '/conditions/1/value invalid_format'],
    )
    assert.deepEqual(faultsOf(await call('POST', `${base}/apply`, { from: '2026-03-10', to: '2026-03-09' })), ['/to too_small'])
  })

  test('the patterns of all rules of a site have one limit, because each hit waits for them', async () => {
    const states = 'x?'.repeat(100) // 200 characters
    const large = Array.from({ length: 10 }, () => is('entry_page', states, 'regex'))
    const create = (conditions: object[]) => call('POST', base, { channel: 'Slow', conditions })
    assert.deepEqual(faultsOf(await create([is('entry_page', '((a?)(a?)){0,900}b', 'regex')])), ['/conditions/0/value invalid_format'])
    const first = await create(large)
    assert.equal(first.status, 201, first.text)
    assert.equal((await create(large)).status, 201)
    assert.deepEqual(
      faultsOf(await create(large)),
      [5, 6, 7, 8, 9].map(i => `/conditions/${i}/value invalid_format`),
    )
    const own = `${base}/${first.body.data.id}`
    assert.equal((await call('PATCH', own, { conditions: large })).status, 200, 'a rule does not count against itself')
    const small = [is('entry_page', 'x', 'regex')]
    assert.equal((await call('PATCH', own, { conditions: small })).status, 200)
    assert.equal((await create(large)).status, 201)
  })

  test('a rule of a site beyond the limit can be changed, as long as its patterns do not grow', async () => {
    const stored = await call('POST', base, { channel: 'Old', conditions: [is('entry_page', 'old', 'regex')] })
    const own = await call('POST', base, { channel: 'Own', conditions: [is('entry_page', 'own', 'regex')] })
    const conditions = JSON.stringify([is('entry_page', '(old|x?){0,900}', 'regex')])
    await service.store.write.updateTable('channel_rules').set({ conditions }).where('id', '=', stored.body.data.id).execute()
    const change = (value: string) =>
      call('PATCH', `${base}/${own.body.data.id}`, { channel: 'New', conditions: [is('entry_page', value, 'regex')] })
    assert.equal((await change('own')).status, 200)
    assert.equal((await change('ow')).status, 200)
    assert.deepEqual(faultsOf(await change('own')), ['/conditions/0/value invalid_format'])
    assert.deepEqual(faultsOf(await change('(')), ['/conditions/0/value invalid_format'])
  })

  test('a pattern beyond the limit that is stored already matches nothing, and patterns see the first 500 characters', async () => {
    const stored = await call('POST', base, { channel: 'Old', conditions: [is('entry_page', 'x', 'regex')] })
    await call('POST', base, { channel: 'Early', conditions: [is('entry_page', 'early', 'regex')] })
    const conditions = JSON.stringify([is('entry_page', '(early|late|x?){0,900}', 'regex')])
    await service.store.write.updateTable('channel_rules').set({ conditions }).where('id', '=', stored.body.data.id).execute()
    const site = String(world.ids.site)
    const ownChannels = async () => (await siteChannels(service.store.read)([site])).get(site)
    const [fill, early] = ['x'.repeat(495), 'early']
    const channelOf = await ownChannels()
    const arrival = (entry_page: string) => ({ ...Object.fromEntries(arrivalDimensions.map(name => [name, ''])), entry_page }) as never
    assert.equal(channelOf?.(arrival('late')), undefined)
    assert.equal(channelOf?.(arrival(early)), 'Early', 'patterns that fit still match')
    await call('DELETE', `${base}/${stored.body.data.id}`)
    const after = await ownChannels()
    assert.equal(after?.(arrival(fill + early)), 'Early')
    assert.equal(after?.(arrival(`${fill}x${early}`)), undefined)
  })
})
