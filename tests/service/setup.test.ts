/** Setup from the machine works like the operations: with audit entries and events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToken, setUp } from '../../operations/service/setup/set-up.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { request, startService } from '../support/world.ts'

onAnyEngine('setting up', engine => {
  test('leaves an entry of each change by its command and the event of the site, once', async () => {
    const service = await startService(engine)
    const {
      app: { emitIn },
      store,
      clock,
    } = service
    const by = { now: clock.now, random: randomBytes, emitIn }
    const asked = { email: 'Owner@example.com', workspace: 'Acme', site: 'https://www.example.com/', timezone: 'Europe/Berlin' }
    const made = await setUp(store, asked, by)
    const audit = () => request(service, 'GET', `/workspaces/${made.workspace_id}/audit`, { token: made.token })
    const entries = async () =>
      (await audit()).body.data.map(({ operation, actor, surface, token_id, subject_id }: Record<string, unknown>) => [
        operation,
        actor,
        surface,
        token_id,
        subject_id,
      ])
    const [first] = await store.read.selectFrom('api_tokens').select('id').execute()
    assert.deepEqual((await entries()).sort(), [
      ['api_tokens_create', 'setup', 'cli', null, first?.id],
      ['sites_create', 'setup', 'cli', null, made.site_id],
      ['workspaces_create', 'setup', 'cli', null, made.workspace_id],
    ])
    assert.doesNotMatch((await audit()).text, /pat_[0-9A-Za-z]{30}/)
    const events = () => store.read.selectFrom('events').select(['type', 'site_id']).execute()
    assert.deepEqual(await events(), [{ type: 'site.created', site_id: made.site_id }])

    const again = await setUp(store, asked, by)
    assert.deepEqual([again.workspace_id, again.site_id], [made.workspace_id, made.site_id])
    await addToken(store, { workspace: made.workspace_id, name: 'More', permissions: ['analytics.read'], siteIds: [], expiresAt: null }, by)
    assert.deepEqual((await entries()).map(([operation, actor]: unknown[]) => [operation, actor]).sort(), [
      ['api_tokens_create', 'setup'],
      ['api_tokens_create', 'setup'],
      ['api_tokens_create', 'token'],
      ['sites_create', 'setup'],
      ['workspaces_create', 'setup'],
    ])
    assert.equal((await events()).length, 1)
    await service.close()
  })
})
