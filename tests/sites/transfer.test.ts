/** A site moves to another workspace of the same person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn, personIn } from '../people/sign-in/people.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, request, startService } from '../support/world.ts'

onAnyEngine('moving a site', engine => {
  test('its history goes along, its alerts lose their channels, and both workspaces must let it', async () => {
    const service = await startService(engine)
    try {
      const [from, to, foreign] = [await makeWorld(service), await makeWorld(service), await makeWorld(service)]
      const person = await personIn(service, from, 'editor')
      const membership = {
        id: `mem_${randomBytes(12).toString('hex')}`,
        workspace_id: to.ids.workspace ?? '',
        account_id: person.accountId,
      }
      await service.store.write
        .insertInto('members')
        .values({ ...membership, role: 'viewer', active: 1, created_at: service.clock.now })
        .execute()
      const browser = await signedIn(service, person)
      const move = (workspace_id?: string) => browser.call('POST', `/sites/${from.ids.site}/transfer.json`, { workspace_id })
      assert.equal((await move(foreign.ids.workspace)).body.error.details[0].code, 'not_found')
      assert.equal((await move(to.ids.workspace)).status, 403, 'a viewer there')
      await service.store.write.updateTable('members').set({ role: 'editor' }).where('id', '=', membership.id).execute()
      const goals = await request(service, 'GET', `/sites/${from.ids.site}/goals.json`, { token: from.token })
      const moved = await move(to.ids.workspace)
      assert.deepEqual([moved.status, moved.body.data.workspace_id], [200, to.ids.workspace])
      assert.equal((await request(service, 'GET', `/sites/${from.ids.site}.json`, { token: from.token })).status, 404)
      assert.equal((await request(service, 'GET', `/sites/${from.ids.site}/goals.json`, { token: to.token })).text, goals.text)
      const alerts = async (world: typeof from) =>
        (await request(service, 'GET', `/workspaces/${world.ids.workspace}/alerts.json?per_page=100`, { token: world.token })).body.data
      const here = (await alerts(to)).filter(({ site_id }: { site_id: string }) => site_id === from.ids.site)
      assert.ok(here.length > 0 && here.every(({ channel_ids }: { channel_ids: string[] }) => channel_ids.length === 0))
      assert.ok((await alerts(from)).every(({ site_id }: { site_id: string }) => site_id !== from.ids.site))
      const moves = await service.store.read.selectFrom('audit_entries').selectAll().where('operation', '=', 'sites_transfer').execute()
      assert.deepEqual(
        moves.map(({ workspace_id, site_id, subject_id }) => [workspace_id, site_id, subject_id]).sort(),
        [from, to].map(({ ids }) => [ids.workspace, from.ids.site, from.ids.site]).sort(),
        'written in both workspaces',
      )
      assert.equal((await request(service, 'GET', `/workspaces/${from.ids.workspace}/dashboards.json`, { token: from.token })).status, 200)
      service.clock.now += 600_000
      assert.equal((await move(from.ids.workspace)).body.error.code, 'reauthentication_required')
    } finally {
      await service.close()
    }
  })
})
