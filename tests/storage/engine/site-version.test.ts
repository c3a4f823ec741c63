/** On Postgres a report knows by one question that nothing has changed about its site, whatever others do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openLocal } from '../../../storage/engine/local.ts'
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import { openStore } from '../../../storage/store.ts'
import { engines } from '../../support/engines.ts'
import { hit, HOUR, MIDNIGHT } from '../new-hits.ts'
import { statements } from '../statements.ts'

describe('the version of a site on postgres', { skip: !engines.some(({ name }) => name === 'postgres') }, () => {
  test('a report asks one question while other sites get hits, and reads again once its own site does', async () => {
    const created = await engines.find(({ name }) => name === 'postgres')?.create()
    assert.ok(created)
    const { store, url, drop } = created
    const hits = openHitStore(store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes: size => Buffer.alloc(size, 7) })
    const send = (site: number, page: string) => hits.append([hit({ site, visitor: 'anna', at: MIDNIGHT + HOUR, page })])
    const reader = openStore(url, { readonly: true, connections: 1 })
    const local = openLocal(reader, { cacheBytes: 1e7 })
    const span = { fromDay: 20777, toDay: 20777, from: MIDNIGHT, to: MIDNIGHT + 24 * HOUR, whole: true }
    const question = { report: 'breakdown', dimension: 'page', span, compared: null, sort: 'visitors', offset: 0, limit: 10 } as const
    const read = async () => {
      const { found, asked } = await statements(() => local.query({ site: 1, where: [], goals: [], asked: question }))
      assert.ok(found.report === 'breakdown')
      return { pages: found.rows.map(({ value }) => value).sort(), asked: asked.filter(text => text !== 'commit') }
    }
    await send(1, '/a')
    await send(2, '/b')
    assert.deepEqual((await read()).pages, ['/a'])
    await read() // whether there are further texts is remembered once it was asked
    for (const page of ['/c', '/d']) {
      await send(2, page)
      const quiet = await read()
      assert.deepEqual(quiet.pages, ['/a'])
      assert.equal(quiet.asked.length, 1, quiet.asked.join('\n'))
    }
    await send(1, '/e')
    assert.deepEqual((await read()).pages, ['/a', '/e'])
    await hits.close()
    await reader.close()
    await drop()
  })
})
