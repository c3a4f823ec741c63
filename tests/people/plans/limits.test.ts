/** Records beyond a limit of the plan are refused at the limit, however it is created, and by two processes at once. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { assignPlan, keptDays, takeQuestion } from '../../../operations/people/plans/index.ts'
import { hits_expire } from '../../../operations/sites/collection/tasks.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { createWeb } from '../../../adapters/http/http.ts'
import { mounts } from '../../../adapters/index.ts'
import { openStore } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { overtaken } from '../../support/overtaken.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, makeWorld, ownPage, type Reply, request, startService, type TestService, type World } from '../../support/world.ts'
import { hit, store as storeHits } from '../../storage/engine/traffic.ts'
import { makeProvider } from '../scim/calling.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plans-'))
const file = path.join(folder, 'plans.json')
const DAY = 86_400_000
fs.writeFileSync(
  file,
  JSON.stringify({
    plans: [
      {
        id: 'free',
        name: 'Free',
        limits: { hits_month: 1000, sites: 2, members: 4, min_interval_seconds: 600, ai_questions: 2, retention_days: 90 },
      },
      { id: 'pro', name: 'Pro', limits: { sites: 5, members: 4 } },
      { id: 'big', name: 'Big' },
    ],
  }),
)
after(() => fs.rmSync(folder, { recursive: true }))

const outcome = ({ status, body }: Reply) => [status, body?.error?.code]
const reached = [422, 'limit_reached']

onAnyEngine('one plan that has the name of the default', engine => {
  test('limits all the same', async () => {
    const only = path.join(folder, 'only.json')
    fs.writeFileSync(only, JSON.stringify({ plans: [{ id: 'self_hosted', name: 'Ours', limits: { sites: 1 } }] }))
    const service = await startService(engine, { PLANS_FILE: only })
    const { ids, token } = await makeSite(service)
    const reply = await request(service, 'POST', `/workspaces/${ids.workspace}/sites`, { token, body: { domain: 'other.example.com' } })
    assert.deepEqual(outcome(reply), reached)
    await service.close()
  })
})

onAnyEngine('limits of plans', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine, { PLANS_FILE: file })
  })
  after(() => service.close())

  const fresh = async () => {
    world = await makeWorld(service)
    return world.ids.workspace ?? ''
  }
  const call = (method: string, to: string, body?: unknown) => request(service, method, to, { token: world.token, body })
  const give = (workspaceId: string, plan: string, blockedFrom: number | null = null) =>
    assignPlan(service.store.write, { config: service.app.config, now: service.clock.now }, { workspaceId, plan, blockedFrom })
  const addSite = (workspace: string) =>
    call('POST', `/workspaces/${workspace}/sites`, { domain: `${randomBytes(5).toString('hex')}.example.com` })
  const invite = (workspace: string) =>
    call('POST', `/workspaces/${workspace}/invitations`, { email: `${randomBytes(5).toString('hex')}@example.com`, role: 'viewer' })

  test('the plan says what is used and what may be', async () => {
    const workspace = await fresh()
    const { id, limits, used, creates_refused_from } = (await call('GET', `/workspaces/${workspace}/plan`)).body.data
    assert.deepEqual(
      [id, limits.sites, used, creates_refused_from],
      ['free', 2, { hits_month: 0, sites: 1, members: 2, ai_questions: 0 }, null],
    )
    const listed = await request(service, 'GET', '/plans')
    assert.deepEqual(
      listed.body.data.map((plan: { id: string; default: boolean }) => [plan.id, plan.default]),
      [
        ['free', true],
        ['pro', false],
        ['big', false],
      ],
    )
  })

  test('a site beyond the limit is refused; a deleted one makes place', async () => {
    const workspace = await fresh()
    const { body } = await addSite(workspace)
    assert.deepEqual(outcome(await addSite(workspace)), reached)
    assert.equal((await call('DELETE', `/sites/${body.data.id}`, { confirm: body.data.domain })).status, 200)
    assert.equal((await addSite(workspace)).status, 201)
    await give(workspace, 'big')
    assert.equal((await addSite(workspace)).status, 201)
    await give(workspace, 'free')
    assert.deepEqual(outcome(await addSite(workspace)), reached)
    const { data } = (await call('GET', `/workspaces/${workspace}/sites`)).body
    assert.equal(data.length, 3, 'what there is stays')
  })

  test('a site is not moved to a workspace that is full', async () => {
    const full = await fresh()
    await addSite(full)
    const owner = world
    const from = await fresh()
    const account = owner.owner.accountId
    await service.store.write
      .insertInto('members')
      .values({
        id: `mem_${randomBytes(8).toString('hex')}`,
        workspace_id: from,
        account_id: account,
        role: 'owner',
        active: 1,
        created_at: 1,
      })
      .execute()
    const secret = randomBytes(32).toString('base64url')
    const { sessionRow, ids } = await import('../../../operations/people/sessions/records.ts')
    const { makeId } = await import('../../../runtime/values/ids.ts')
    await service.store.write
      .insertInto('sessions')
      .values(
        sessionRow({ id: makeId(ids.session, service.clock.now, randomBytes(14)), accountId: account, secret, now: service.clock.now }),
      )
      .execute()
    const move = () => request(service, 'POST', `/sites/${world.ids.site}/transfer`, { token: secret, body: { workspace_id: full } })
    assert.deepEqual(outcome(await move()), reached)
    await give(full, 'big')
    assert.equal((await move()).status, 200)
  })

  test('a code moves no site to a workspace that is full', async () => {
    const full = await fresh()
    await addSite(full)
    const there = world.token
    const from = await fresh()
    const { body } = await call('POST', `/sites/${world.ids.site}/transfer/offer`, {})
    const accept = () => request(service, 'POST', `/workspaces/${full}/sites/accept`, { token: there, body: { code: body.data.code } })
    assert.deepEqual(outcome(await accept()), reached)
    assert.equal((await call('GET', `/sites/${world.ids.site}`)).body.data.workspace_id, from)
    await give(full, 'big')
    assert.equal((await accept()).status, 200, 'the code is still good')
  })

  test('members are counted with who is invited, and again when they come', async () => {
    const workspace = await fresh() // two members, and one invitation is open
    const first = await invite(workspace)
    assert.equal(first.status, 201)
    assert.deepEqual(outcome(await invite(workspace)), reached)
    await world.join('viewer')
    const other = await world.join('viewer')
    const accept = () =>
      request(service, 'POST', new URL(first.body.data.url).pathname, { body: { password: 'correct horse battery' }, headers: ownPage })
    assert.deepEqual(outcome(await accept()), reached, 'four have come meanwhile')
    const state = (status: string) => call('PATCH', `/workspaces/${workspace}/members/${other.memberId}`, { status })
    assert.equal((await state('deactivated')).status, 200)
    assert.equal((await accept()).status, 201)
    assert.deepEqual(outcome(await state('active')), reached)
    assert.deepEqual(outcome(await call('PATCH', `/workspaces/${workspace}/members/${other.memberId}`, { role: 'editor' })), [
      200,
      undefined,
    ])
  })

  test('an identity provider makes no members beyond the limit, and takes up none', async () => {
    const provider = await makeProvider(service)
    world = provider.world
    const first = await provider.create(`a@${world.ids.domain}`)
    assert.equal(first.status, 201)
    const used = async () => (await call('GET', `/workspaces/${world.ids.workspace}/plan`)).body.data.used.members
    while ((await used()) < 4) await world.join('viewer')
    const refused = await provider.create(`b@${world.ids.domain}`)
    assert.equal(refused.body.error?.code ?? refused.body.scimType, 'limit_reached', refused.text)
  })

  test('checks probe as often as the plan allows, and less often by themselves', async () => {
    const workspace = await fresh()
    const make = (rest: object) => call('POST', `/sites/${world.ids.site}/uptime`, { url: 'https://example.com/', ...rest })
    const made = await make({})
    assert.equal(made.body.data.interval_seconds, 600)
    assert.deepEqual(outcome(await make({ interval_seconds: 300 })), reached)
    assert.deepEqual(outcome(await call('PATCH', `/uptime/checks/${made.body.data.id}`, { interval_seconds: 60 })), reached)
    assert.equal((await call('PATCH', `/uptime/checks/${made.body.data.id}`, { interval_seconds: 600, timeout_seconds: 5 })).status, 200)
    await give(workspace, 'big')
    assert.equal((await make({})).body.data.interval_seconds, 300)
  })

  test('an unpaid workspace cannot create records, and nothing stops', async () => {
    const workspace = await fresh()
    await give(workspace, 'big', service.clock.now + 1000)
    const note = () => call('POST', `/sites/${world.ids.site}/notes`, { text: 'Deployed' })
    assert.equal((await note()).status, 201)
    service.clock.now += 1000
    assert.deepEqual(outcome(await note()), reached)
    assert.deepEqual(outcome(await addSite(workspace)), reached)
    assert.equal((await call('PATCH', `/sites/${world.ids.site}`, { name: 'Renamed' })).status, 200)
    assert.equal((await call('GET', `/sites/${world.ids.site}/overview`)).status, 200)
    assert.notEqual(
      (await call('POST', `/sites/${world.ids.site}/exports`, { kind: 'totals', format: 'csv' })).body.error?.code,
      'limit_reached',
    )
  })

  test('of two processes that add the last site, one is refused', async () => {
    const workspace = await fresh()
    const store = openStore(service.url, { connections: 2 })
    const { app } = service
    const other = createApp({
      store,
      config: app.config,
      table: app.table,
      log: app.log,
      now: () => service.clock.now,
      random: randomBytes,
    })
    const second = { ...service, app: other, web: createWeb(other, mounts) }
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        request(i % 2 ? second : service, 'POST', `/workspaces/${workspace}/sites`, {
          token: world.token,
          body: { domain: `${randomBytes(5).toString('hex')}.example.com` },
        }),
      ),
    )
    await other.close()
    await store.close()
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422, 422, 422, 422])
  })

  test('questions to the assistant are counted before they are asked', async () => {
    const workspace = await fresh()
    const { store, app, clock } = service
    const take = () =>
      store.transaction(trx => takeQuestion(trx, { config: app.config, emit: app.emitIn(trx, clock.now), now: clock.now }, workspace))
    const results = await Promise.allSettled([take(), take(), take(), take()])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    assert.equal((await call('GET', `/workspaces/${workspace}/plan`)).body.data.used.ai_questions, 2)
  })

  test('visits are kept as long as the plan says, and a month longer after a change', async () => {
    const workspace = await fresh()
    const { store, app, clock } = service
    const kept = async (ofInstallation: number) =>
      (await keptDays(store.read, { config: app.config, now: clock.now, ofInstallation }))(workspace)
    assert.deepEqual([await kept(0), await kept(60), await kept(400)], [90, 60, 90])
    await give(workspace, 'big')
    assert.deepEqual([await kept(0), await kept(400)], [0, 400])
    await give(workspace, 'free')
    assert.equal(await kept(0), 0)
    clock.now += 30 * DAY
    assert.equal(await kept(0), 90)
  })

  test('visits of a workspace that gets another plan while they are deleted are deleted no further', async () => {
    const { store, app, clock } = service
    const visits = async (site: number) =>
      (await store.read.selectFrom('visits').select('day').where('site_id', '=', site).execute()).length
    await overtaken(store, async slowly => {
      const workspace = await fresh()
      const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
      const times = [202, 201, 200].map(days => clock.now - days * DAY)
      await storeHits(
        store,
        times.map(at => hit(site, { who: 'ann', at })),
        1,
      )
      let left: number | undefined
      const slow = slowly(async () => {
        await give(workspace, 'big')
        left = await visits(site.number)
      })
      await hits_expire.run({ ...taskContext(app), store: slow })
      assert.equal(await visits(site.number), left ?? 0)
    })
  })
})
