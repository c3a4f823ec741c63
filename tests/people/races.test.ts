/** Concurrent requests of two people. Each waits until the other is done. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { addAccount, proveAddress } from '../../operations/people/account/index.ts'
import { hashCredential } from '../../runtime/call/credentials.ts'
import { makeId } from '../../runtime/values/ids.ts'
import type { Trx } from '../../storage/store.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { during } from '../support/overtaken.ts'
import { makeSite, request, startService, type TestService, type World } from '../support/world.ts'
import { type MailServer, startMailServer } from '../watch/channels/receivers.ts'
import { openBrowser } from './sign-in/browser.ts'
import { linkFor, password, personIn, signedIn } from './sign-in/people.ts'

onEachEngine('people at the same time', engine => {
  let service: TestService
  let world: World
  let mail: MailServer
  before(async () => {
    mail = await startMailServer()
    service = await startService(engine, { SMTP_URL: mail.url, SIGN_UP: 'open' })
  })
  after(async () => {
    await service.close()
    await mail.close()
  })
  beforeEach(async () => {
    world = await makeSite(service)
  })

  const making = (trx: Trx) => ({
    db: trx,
    now: service.clock.now,
    newId: (kind: Parameters<typeof makeId>[0]) => makeId(kind, service.clock.now, randomBytes(14)),
  })
  const passwordRow = (account_id: string) => ({ account_id, hash: 'their own', changed_at: service.clock.now })
  const hashOf = async (email: string) =>
    (
      await service.store.read
        .selectFrom('passwords as p')
        .innerJoin('accounts as a', 'a.id', 'p.account_id')
        .select('p.hash')
        .where('a.email', '=', email)
        .executeTakeFirstOrThrow()
    ).hash
  /** A person creates an account, with a proved address or without. */
  const arrives = (email: string, isVerified: boolean) => async (trx: Trx) => {
    const id = await addAccount(trx, making(trx), { email, name: 'Grace', provedBy: isVerified ? 'mailbox' : undefined })
    await trx
      .insertInto('passwords')
      .values(passwordRow(id ?? ''))
      .execute()
  }

  test('an invitation that is followed while its person makes an account is no way into that', async () => {
    const email = `grace@${world.ids.domain}`
    const path = `/workspaces/${world.ids.workspace}/invitations`
    const { body } = await request(service, 'POST', path, { token: world.token, body: { email, role: 'viewer' } })
    const link = new URL(body.data.url).pathname
    const answer = await during(service.store, arrives(email, false), () => openBrowser(service).call('POST', `${link}.json`, { password }))
    assert.deepEqual([answer.status, answer.body.error.code, answer.headers.getSetCookie()], [422, 'invalid_state', []])
    assert.equal(await hashOf(email), 'their own')
  })

  test('a sign-up that is followed while its person creates an account gives no access to that account', async () => {
    const email = `grace@${world.ids.domain}`
    assert.equal((await openBrowser(service).call('POST', '/sign_ups.json', { email })).status, 201)
    const secret = randomBytes(32).toString('base64url')
    await service.store.write
      .updateTable('sign_ups')
      .set({ hash: hashCredential(secret) })
      .where('email', '=', email)
      .execute()
    const answer = await during(service.store, arrives(email, true), () =>
      openBrowser(service).call('POST', `/sign_ups/${secret}.json`, { password, workspace: 'Mine' }),
    )
    assert.deepEqual([answer.status, answer.body.error.code], [422, 'invalid_state'])
    assert.equal(await hashOf(email), 'their own')
  })

  test('a sign-in with the old password does not outlive the new one', async () => {
    const ada = await personIn(service, world)
    const another = await hash('another sentence')
    const changing = async (trx: Trx) => {
      await trx.updateTable('passwords').set({ hash: another }).where('account_id', '=', ada.accountId).execute()
      await trx.deleteFrom('sessions').where('account_id', '=', ada.accountId).execute()
    }
    const browser = openBrowser(service)
    const answer = await during(service.store, changing, () => browser.call('POST', '/session.json', { email: ada.email, password }))
    assert.deepEqual([answer.status, answer.body.error?.code, browser.cookies.size], [401, 'sign_in_failed', 0])
    const sessions = await service.store.read.selectFrom('sessions').select('id').where('account_id', '=', ada.accountId).execute()
    assert.deepEqual(sessions, [])
  })

  test('a change by a session is not made if the holder of the address takes the account over', async () => {
    const ada = await personIn(service, world)
    const unverified = service.store.write.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', ada.accountId)
    const takingOver = (trx: Trx) =>
      proveAddress({ ...making(trx), emit: service.app.emitIn(trx, service.clock.now) }, ada.accountId, 'mailbox')
    for (const [method, path, input] of [
      ['PATCH', '/account/password.json', { current_password: password, password: 'another sentence of a thief' }],
      ['POST', '/account/two_factor.json', { current_password: password }],
      ['POST', '/account/email/verify.json', {}],
    ] as const) {
      await service.store.write.deleteFrom('passwords').where('account_id', '=', ada.accountId).execute()
      await service.store.write
        .insertInto('passwords')
        .values({ account_id: ada.accountId, hash: await hash(password), changed_at: 1 })
        .execute()
      await unverified.execute()
      const browser = await signedIn(service, ada)
      const answer = await during(service.store, takingOver, () => browser.call(method, path, input))
      assert.deepEqual([answer.status, answer.body.error?.code], [401, 'invalid_token'], path)
    }
    for (const table of ['passwords', 'totp', 'one_time_links', 'sessions'] as const) {
      const left = await service.store.read.selectFrom(table).select('account_id').where('account_id', '=', ada.accountId).execute()
      assert.deepEqual(left, [], table)
    }
  })

  test('a link is used by one of several at once, and of two owners who leave, remove or delete one stays', async () => {
    const ada = await personIn(service, world)
    const link = await linkFor(service, ada.accountId, 'reset')
    const set = await Promise.all(
      [1, 2, 3].map(i => openBrowser(service).call('POST', `/links/${link}.json`, { password: `a sentence no. ${i}` })),
    )
    assert.deepEqual(set.map(({ status }) => status).sort(), [201, 422, 422])

    const owners = [await personIn(service, world, 'owner'), await personIn(service, world, 'owner')] as const
    await service.store.write.updateTable('members').set({ role: 'admin' }).where('id', '=', world.owner.memberId).execute()
    const [one, other] = [await signedIn(service, owners[0]), await signedIn(service, owners[1])]
    const gone = await Promise.all([
      one.call('DELETE', '/account.json', { confirm: owners[0].email }),
      other.call('DELETE', '/account.json', { confirm: owners[1].email }),
    ])
    assert.deepEqual(gone.map(({ status }) => status).sort(), [200, 422], gone.map(({ text }) => text).join())
  })

  test('an owner is not deleted as the last one, though they became that a moment before', async () => {
    const [owner, heir] = [await personIn(service, world, 'owner'), await personIn(service, world, 'admin')]
    await service.store.write.updateTable('members').set({ role: 'admin' }).where('id', '=', world.owner.memberId).execute()
    const browser = await signedIn(service, heir)
    const handingOver = async (trx: Trx) => {
      await trx
        .updateTable('workspaces')
        .set(({ ref }) => ({ name: ref('name') }))
        .where('id', '=', world.ids.workspace ?? '')
        .execute() // the lock
      await trx.updateTable('members').set({ role: 'owner' }).where('id', '=', heir.memberId).execute()
      await trx.updateTable('members').set({ role: 'viewer' }).where('id', '=', owner.memberId).execute()
    }
    const answer = await during(service.store, handingOver, () => browser.call('DELETE', '/account.json', { confirm: heir.email }))
    assert.deepEqual([answer.status, answer.body.error?.code], [422, 'invalid_state'])
  })

  test('a sign-up is mailed once in ten minutes, and the answer does not reveal an existing account', async () => {
    const ada = await personIn(service, world)
    const ask = (email: string) => openBrowser(service).call('POST', '/sign_ups.json', { email })
    const answers = new Map<string, string[]>()
    const waiting = async (email: string) =>
      (await service.store.read.selectFrom('mails').select('id').where('recipient', '=', email).execute()).length
    for (const email of [ada.email, `nobody@${world.ids.domain}`]) {
      const all = [await ask(email), await ask(email), await ask(email.toUpperCase())]
      answers.set(
        email,
        all.map(({ status, text }) => `${status} ${text.replaceAll(email, 'them').replaceAll(email.toUpperCase(), 'them')}`),
      )
      assert.equal(await waiting(email), 1, email)
    }
    const [known, unknown] = [...answers.values()]
    assert.deepEqual(known, unknown)
    const rows = await service.store.read
      .selectFrom('sign_ups')
      .selectAll()
      .where('email', 'in', [...answers.keys()])
      .execute()
    assert.equal(rows.length, 2, 'what is written is the same')
  })
})
