/** Accounts that were there before it was recorded who had proved their address. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { runStep } from '../../storage/migrations/run-step.ts'
import { onAnyEngine } from '../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../support/world.ts'
import { linkFor, password, type Person, personIn, signedIn } from './sign-in/people.ts'
import { openBrowser } from './sign-in/browser.ts'

const HOUR = 3_600_000

onAnyEngine('accounts before an upgrade', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    service.clock.now += HOUR
  })
  after(() => service.close())

  /** A person who was invited. @param tokens whether the token that they made is still good */
  async function member({ tokens = true } = {}): Promise<Person> {
    const person = await personIn(service, world, 'viewer')
    if (!tokens) await service.store.write.deleteFrom('api_tokens').where('member_id', '=', person.memberId).execute()
    service.clock.now += HOUR
    return person
  }
  async function reset({ accountId }: Person) {
    const link = await linkFor(service, accountId, 'reset')
    assert.equal((await openBrowser(service).call('POST', `/links/${link}.json`, { password })).status, 201)
    service.clock.now += HOUR
  }
  const identity = ({ accountId: account_id }: Person, workspace_id: string) =>
    service.store.write
      .insertInto('sso_identities')
      .values({
        workspace_id,
        issuer: 'https://idp.example',
        subject: account_id,
        account_id,
        created_at: service.clock.now,
        last_used_at: 1,
      })
      .execute()
  async function provisioned({ accountId, memberId, email }: Person) {
    const { created_at } = await service.store.read
      .selectFrom('accounts')
      .select('created_at')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const row = { member_id: memberId, workspace_id: world.ids.workspace ?? '', user_name: email, user_key: email, external_id: null }
    await service.store.write
      .insertInto('scim_users')
      .values({ ...row, email, attributes: '{}', updated_at: created_at })
      .execute()
  }

  test('after the upgrade, accounts are verified if the data proves it and no older credential is left, and everyone still signs in', async () => {
    const { write, dialect } = service.store
    const people = {
      invited: await member(),
      'by mail': await member({ tokens: false }),
      'by mail, with an older token': await member(),
      'by single sign-on': await member({ tokens: false }),
      'by single sign-on, with an older password': await member({ tokens: false }),
      'by single sign-on of another domain': await member({ tokens: false }),
      'by SCIM': await member(),
    }
    await reset(people['by mail'])
    await reset(people['by mail, with an older token'])
    await write.deleteFrom('passwords').where('account_id', '=', people['by single sign-on'].accountId).execute()
    await write.deleteFrom('passwords').where('account_id', '=', people['by single sign-on of another domain'].accountId).execute()
    const other = (await makeSite(service)).ids.workspace ?? ''
    for (const [workspace_id, domain] of [
      [world.ids.workspace ?? '', 'example.com'],
      [other, 'le.com'], // the end of it, which is no domain of it
    ] as const) {
      const checked = { verified_at: 1, checked_at: 1, check_error: null, created_at: 1 }
      await write
        .insertInto('sso_domains')
        .values({ id: `dom_${domain}`, workspace_id, domain, proof: 'x', ...checked })
        .execute()
    }
    await identity(people['by single sign-on'], world.ids.workspace ?? '')
    await identity(people['by single sign-on, with an older password'], world.ids.workspace ?? '')
    await identity(people['by single sign-on of another domain'], other)
    await provisioned(people['by SCIM'])

    await sql`drop index invitations_mailed_hash`.execute(write)
    await sql`alter table invitations drop column mailed_hash`.execute(write)
    await sql`alter table accounts drop column email_verified_at`.execute(write)
    await runStep(write as unknown as Kysely<unknown>, dialect, '2026-11-25-2-verified-addresses')

    await sql`alter table accounts drop column mailbox_proved_at`.execute(write)
    await runStep(write as unknown as Kysely<unknown>, dialect, '2026-12-14-1-proved-mailboxes')

    const rows = await write.selectFrom('accounts').select(['id', 'email_verified_at', 'mailbox_proved_at']).execute()
    const verified = new Set(rows.flatMap(({ id, email_verified_at }) => (email_verified_at === null ? [] : [id])))
    assert.deepEqual(
      Object.entries(people).flatMap(([how, { accountId }]) => (verified.has(accountId) ? [how] : [])),
      ['by mail', 'by single sign-on', 'by SCIM'],
    )
    const mailboxes = new Set(rows.flatMap(({ id, mailbox_proved_at }) => (mailbox_proved_at === null ? [] : [id])))
    assert.deepEqual(
      Object.entries(people).flatMap(([how, { accountId }]) => (mailboxes.has(accountId) ? [how] : [])),
      ['by mail'],
    )
    assert.ok(verified.has(world.owner.accountId) && mailboxes.has(world.owner.accountId), 'made together with the workspace')
    for (const how of ['invited', 'by mail, with an older token', 'by SCIM'] as const) await signedIn(service, people[how])
  })
})
