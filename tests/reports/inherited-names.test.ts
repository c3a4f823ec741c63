/** Visitors send any text: where it is the name of something that every object has, every report, list and answer still reads it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { firstHitDimensions } from '../../storage/hits/dictionaries.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, startService, type TestService, tokenOf, type World } from '../support/world.ts'
import { isFull } from '../support/full.ts'

const inherited = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty']

onAnyEngine('texts of visitors that every object has', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const sent = inherited.flatMap((name, i) => {
      const visit = Object.fromEntries(firstHitDimensions.map(dimension => [dimension, name]))
      const from = service.clock.now - 86_400_000 + i * 3_600_000
      const both = { who: name, visit, page: `/${name}`, props: { [name]: name } }
      return [hit(zone, { ...both, at: from }), hit(zone, { ...both, at: from + 1_000, event: name })]
    })
    await keep(service.store, sent)
  })
  after(() => service.close())

  test('harm no read', async () => {
    const broken: string[] = []
    for (const [name, operation] of table.operations) {
      if (operation.effect !== 'read') continue
      for (const { input } of isFull ? operation.examples : operation.examples.slice(0, 1)) {
        const { status, text } = await callHttp(service, operation, fill(input, world), tokenOf(world, operation))
        if (status >= 500) broken.push(`${name} ${JSON.stringify(input)}: ${text}`)
      }
    }
    assert.deepEqual(broken, [])
  })

  test('harm no answer of the assistant', async () => {
    const ask = table.operations.get('assistant_ask')
    assert.ok(ask)
    for (const question of ['How many visitors came yesterday?', ...inherited.map(name => `How many visitors from ${name} this week?`)]) {
      const { status, text } = await callHttp(service, ask, { site_id: world.ids.site, question }, world.token)
      assert.ok(status < 300, `${question}: ${status} ${text}`)
    }
  })
})
