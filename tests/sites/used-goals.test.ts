/** A goal that is deleted while an alert or a funnel begins to use it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { site } from '../../operations/sites/sites/records.ts'
import type { Trx } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { during } from '../support/overtaken.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onEachEngine('a goal that is deleted while it begins to be used', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const call = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, body })
  const alerts = () => `/workspaces/${world.ids.workspace}/alerts`
  const site_id = () => world.ids.site ?? ''
  let made = 0
  const newGoal = async (): Promise<string> => {
    const path = `/goal-${++made}`
    return (await call('POST', `/sites/${site_id()}/goals`, { name: path, kind: 'page', path })).body.data.id
  }

  test('is not used if the deletion is first', async () => {
    for (const use of ['alert', 'funnel'] as const) {
      const goal_id = await newGoal()
      const deleting = async (trx: Trx) => {
        await site.lock?.(trx, site_id())
        await trx.deleteFrom('goals').where('id', '=', goal_id).execute()
      }
      const { status, body } = await during(service.store, deleting, () =>
        use === 'alert'
          ? call('POST', alerts(), { name: goal_id, kind: 'goal', site_id: site_id(), goal_id })
          : call('POST', `/sites/${site_id()}/funnels`, { name: goal_id, steps: [{ goal_id }, { path: '/' }] }),
      )
      assert.deepEqual([status, body.error?.details[0]?.code], [422, 'not_found'], JSON.stringify(body))
    }
  })

  test('is not deleted if the use is first', async () => {
    const goal_id = await newGoal()
    const alert = await call('POST', alerts(), { name: 'Goals', kind: 'goal', site_id: site_id(), goal_id: await newGoal() })
    const using = async (trx: Trx) => {
      await trx.updateTable('goals').set({ name: goal_id }).where('id', '=', goal_id).execute()
      await trx.updateTable('alerts').set({ goal_id }).where('id', '=', alert.body.data.id).execute()
    }
    const { status, body } = await during(service.store, using, () => call('DELETE', `/sites/${site_id()}/goals/${goal_id}`))
    assert.deepEqual([status, body.error?.code], [422, 'invalid_state'], JSON.stringify(body))
  })
})
