/** Members whom SCIM added before it was noted whether they came in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { runStep } from '../../../storage/migrations/run-step.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, startService, type TestService } from '../../support/world.ts'
import { makeProvider } from './calling.ts'

onAnyEngine('Members that were added before', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('memberships of an older account are awaited, and nothing reveals whether the person came', async () => {
    const { write, dialect } = service.store
    const [okta, other] = [await makeProvider(service), await makeSite(service)]
    const busy = await other.join('viewer')
    service.clock.now += 1_000
    const stranger = (await okta.create(other.owner.email)).body.id
    const own = (await okta.create(`new@${okta.world.ids.domain}`)).body.id
    const known = (await okta.create(busy.email)).body.id
    // With a token here, they have been here.
    await write.updateTable('api_tokens').set({ member_id: known }).where('member_id', '=', busy.memberId).execute()
    for (const name of ['awaited_email', 'awaited_name']) await sql.raw(`alter table members drop column ${name}`).execute(write)
    await runStep(write as unknown as Kysely<unknown>, dialect, '2026-11-24-6-awaited-members')
    const awaited = await write.selectFrom('members').select(['id', 'awaited_email']).where('awaited_email', 'is not', null).execute()
    assert.deepEqual(awaited, [{ id: stranger, awaited_email: other.owner.email }])
    assert.notEqual(own, known)
  })
})
