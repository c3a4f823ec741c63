/** A site moves to another workspace of the same person. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { signedIn, personIn } from '../people/sign-in/people.ts'
import { randomBytes } from '../support/chance.ts'
import { isThorough, onAnyEngine, onEachEngine } from '../support/engines.ts'
import { testIfFullOr } from '../support/full.ts'
import { makeWorld, removeSite, request, startService, type TestService, type World } from '../support/world.ts'

const offering = ['sites.manage', 'analytics.read', 'analytics.export'] as const

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

onEachEngine('offering a site', engine => {
  const testThorough = testIfFullOr(isThorough(engine))
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const offer = (from: World, body: object = {}, token = from.token) =>
    request(service, 'POST', `/sites/${from.ids.site}/transfer/offer.json`, { token, body })
  const accept = (to: World, code: string, token = to.token) =>
    request(service, 'POST', `/workspaces/${to.ids.workspace}/sites/accept.json`, { token, body: { code } })
  const codeOf = async (from: World, body: object = {}): Promise<string> => {
    const { status, body: answer, text } = await offer(from, body)
    assert.equal(status, 200, text)
    return answer.data.code
  }
  const ownerOf = async ({ ids }: World): Promise<string> =>
    (await request(service, 'GET', `/sites/${ids.site}.json`, { token: (await tokenOfSite(ids.site)).token })).body.data.workspace_id
  let worlds: World[] = []
  const tokenOfSite = async (id: string | undefined): Promise<World> => {
    const row = await service.store.read.selectFrom('sites').select('workspace_id').where('id', '=', String(id)).executeTakeFirstOrThrow()
    return worlds.find(({ ids }) => ids.workspace === row.workspace_id) as World
  }
  const makeWorlds = async (count: number): Promise<World[]> => {
    worlds = []
    while (worlds.length < count) worlds.push(await makeWorld(service))
    return worlds
  }

  test('a token of one workspace offers, a token of another accepts: history moves, both logs and both webhooks say so', async () => {
    const [from, to] = (await makeWorlds(2)) as [World, World]
    const site = from.ids.site as string
    const goals = await request(service, 'GET', `/sites/${site}/goals.json`, { token: from.token })
    const code = await codeOf(from)
    const kept = await service.store.read.selectFrom('site_offers').selectAll().where('site_id', '=', site).execute()
    assert.ok(kept.length === 1 && !JSON.stringify(kept).includes(code), 'only its hash is stored')
    const moved = await accept(to, code)
    assert.deepEqual([moved.status, moved.body.data.id, moved.body.data.workspace_id], [200, site, to.ids.workspace])
    assert.equal((await request(service, 'GET', `/sites/${site}.json`, { token: from.token })).status, 404)
    assert.equal((await request(service, 'GET', `/sites/${site}/goals.json`, { token: to.token })).text, goals.text)
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('subject_id', '=', site)
      .where('operation', '=', 'sites_transfer_accept')
      .execute()
    assert.deepEqual(entries.map(each => each.workspace_id).sort(), [from.ids.workspace, to.ids.workspace].sort())
    const there = entries.find(each => each.workspace_id === from.ids.workspace)
    const name = (
      await service.store.read.selectFrom('workspaces').select('name').where('id', '=', String(to.ids.workspace)).executeTakeFirstOrThrow()
    ).name
    assert.deepEqual([there?.actor, there?.ip, there?.token_id], [name, null, null], 'nothing of the person who took it')
    assert.ok(!JSON.stringify(entries).includes(code))
    const events = await service.store.read
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'site.transferred')
      .where('site_id', '=', site)
      .execute()
    assert.deepEqual(events.map(each => each.workspace_id).sort(), [from.ids.workspace, to.ids.workspace].sort())
    assert.equal((await accept(from, code)).status, 422, 'a code works once')
  })

  testThorough('codes that are unknown, replaced, withdrawn, expired, used or of a deleted site get the same answer', async () => {
    const [from, to, third, other] = (await makeWorlds(4)) as [World, World, World, World]
    const answers: string[] = []
    const refused = async (code: string, world = to) => {
      const { status, text } = await accept(world, code)
      answers.push(`${status} ${text.replace(/"request_id":"[^"]*"/, '')}`)
    }
    await refused('hello')
    const first = await codeOf(from)
    const meant = await codeOf(from, { for_workspace: to.ids.workspace })
    await refused(first)
    await refused(meant, third)
    assert.equal((await request(service, 'DELETE', `/sites/${from.ids.site}/transfer/offer.json`, { token: from.token })).status, 200)
    await refused(meant)
    const late = await codeOf(from)
    service.clock.now += 24 * 3_600_000
    await refused(late)
    const gone = await codeOf(from)
    const confirm = (await request(service, 'GET', `/sites/${from.ids.site}.json`, { token: from.token })).body.data.domain
    assert.equal((await request(service, 'DELETE', `/sites/${from.ids.site}.json`, { token: from.token, body: { confirm } })).status, 200)
    await refused(gone)
    const used = await codeOf(other)
    assert.equal((await accept(to, used)).status, 200)
    await refused(used, third)
    assert.deepEqual(new Set(answers).size, 1, answers.join('\n'))
    assert.match(answers[0] ?? '', /^422 .*"not_found"/)
  })

  testThorough('it needs the permissions that the history is guarded by, and a lasting token', async () => {
    const [from, to] = (await makeWorlds(2)) as [World, World]
    const narrow = async (world: World, fields: object) =>
      (
        await request(service, 'POST', `/workspaces/${world.ids.workspace}/api_tokens.json`, {
          token: world.token,
          body: { name: 'narrow', ...fields },
        })
      ).body.data.token
    assert.equal((await offer(from, {}, await narrow(from, { permissions: ['sites.manage', 'analytics.read'] }))).status, 403)
    assert.equal((await offer(from, {}, await narrow(from, { expires_at: '2099-01-01T00:00:00Z' }))).status, 403)
    assert.equal((await offer(from, {}, to.token)).status, 404)
    const code = await codeOf(from)
    assert.equal((await accept(to, code, await narrow(to, { permissions: ['analytics.read'] }))).status, 403)
    assert.equal((await accept(to, code, await narrow(to, { site_ids: [to.ids.site] }))).status, 403)
    assert.equal((await accept(from, code)).body.error.code, 'invalid_state', 'it is there already')
    assert.equal(await ownerOf(from), from.ids.workspace)
  })

  testThorough('dashboards of the former workspace show nothing of the site any more, and say so as of a deleted site', async () => {
    const [from, to, gone] = (await makeWorlds(3)) as [World, World, World]
    const cards = async ({ ids, token }: World, path = `/workspaces/${ids.workspace}/dashboards/${ids.dashboard}`) => {
      const { data } = (await request(service, 'GET', `${path}.json`, { token })).body
      return Promise.all(data.cards.map((_: object, i: number) => request(service, 'GET', `${path}/cards/${i}.json`, { token })))
    }
    for (const card of await cards(from)) assert.equal(card.status, 200, card.text)
    assert.equal((await accept(to, await codeOf(from))).status, 200)
    await removeSite(service, gone)
    const bytes = (replies: { status: number; text: string }[]) =>
      replies.map(({ status, text }) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`)
    const left = bytes(await cards(from))
    assert.ok(left.length > 5 && left.every(reply => reply.startsWith('422 ')), left.join('\n'))
    assert.deepEqual(left, bytes(await cards(gone)))
  })

  // On Postgres, a change can read the site before it moves, and store what it names afterwards.
  testThorough('records of the former workspace that name the site all the same read nothing of it', async () => {
    const [from, to] = (await makeWorlds(2)) as [World, World]
    const { read, write } = service.store
    const { site, workspace, email_report = '', status_page = '' } = from.ids
    const alert = { name: 'Few', kind: 'threshold', site_id: site, metric: 'visitors', operator: 'lt', threshold: 1_000_000 }
    const made = await request(service, 'POST', `/workspaces/${workspace}/alerts.json`, { token: from.token, body: alert })
    const named = async () => {
      const asked = (path: string) => request(service, 'GET', path, { token: from.token })
      const mail = await asked(`/workspaces/${workspace}/email_reports/${email_report}/preview`)
      const status = await request(service, 'GET', `/status/${from.ids.status_slug}/api/v2/summary`)
      await write.updateTable('alerts').set({ evaluate_at: service.clock.now, streak: 0 }).where('id', '=', made.body.data.id).execute()
      await createScheduler(service.app).runDue(['alerts_evaluate'])
      const { streak } = await read.selectFrom('alerts').select('streak').where('id', '=', made.body.data.id).executeTakeFirstOrThrow()
      return { mail: mail.text.includes(String(site)), status: status.text.includes('"Shop"'), alert: streak > 0 }
    }
    assert.deepEqual(await named(), { mail: true, status: true, alert: true })
    const sites = await read.selectFrom('email_report_sites').selectAll().where('report_id', '=', email_report).execute()
    const checks = await read.selectFrom('status_page_checks').selectAll().where('page_id', '=', status_page).execute()
    assert.equal((await accept(to, await codeOf(from))).status, 200)
    await write.insertInto('email_report_sites').values(sites).execute()
    await write.insertInto('status_page_checks').values(checks).execute()
    await write
      .updateTable('alerts')
      .set({ workspace_id: String(workspace) })
      .where('id', '=', made.body.data.id)
      .execute()
    assert.deepEqual(await named(), { mail: false, status: false, alert: false })
  })

  testThorough('a code ends with the rights of the member who created it, and with the token that did', async () => {
    const [from, to] = (await makeWorlds(2)) as [World, World]
    const workspace = `/workspaces/${from.ids.workspace}`
    const asOwner = (method: string, path: string, body: object = {}) => request(service, method, path, { token: from.token, body })
    const person = await personIn(service, from, 'editor')
    const browser = await signedIn(service, person)
    const offered = async (): Promise<string> => {
      const { headers, text } = await browser.submit(`/sites/${from.ids.site}/transfer/offer`)
      const shown = await browser.open(headers.get('location') ?? assert.fail(text))
      return /stc_\w{20,}/.exec(shown.text)?.[0] ?? assert.fail(shown.text)
    }
    const unknown = await accept(to, 'hello')
    const isRefused = async (code: string) => {
      const { status, text } = await accept(to, code)
      const bytes = (answer: string) => answer.replace(/"request_id":"[^"]*"/, '')
      assert.deepEqual([status, bytes(text)], [422, bytes(unknown.text)])
    }
    const member = `${workspace}/members/${person.memberId}`
    const first = await offered()
    assert.equal((await asOwner('PATCH', `${member}.json`, { role: 'analyst' })).status, 200)
    await isRefused(first)
    assert.equal((await asOwner('PATCH', `${member}.json`, { role: 'editor' })).status, 200)
    const second = await offered()
    assert.equal((await asOwner('DELETE', `${member}.json`)).status, 200)
    await isRefused(second)

    const made = (await asOwner('POST', `${workspace}/api_tokens.json`, { name: 'Lost', permissions: [...offering] })).body.data
    const third = (await offer(from, {}, made.token)).body.data.code
    assert.equal((await asOwner('DELETE', `${workspace}/api_tokens/${made.id}.json`)).status, 200)
    await isRefused(third)
    assert.equal(await ownerOf(from), from.ids.workspace)
    assert.equal((await accept(to, await codeOf(from))).status, 200)
  })

  test('who enters a code waits for the site before it locks the workspace, as a member of both who moves it', {
    skip: engine.name === 'sqlite' && 'one writer',
  }, async () => {
    const [from, to] = (await makeWorlds(2)) as [World, World]
    const code = await codeOf(from)
    let accepting: ReturnType<typeof accept> | undefined
    await service.store.transaction(async trx => {
      await sql`select 1 from sites where id = ${from.ids.site} for update`.execute(trx)
      accepting = accept(to, code)
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      while ((await waiting.execute(service.store.read)).rows.length === 0) await setTimeout(5)
      await sql`select 1 from workspaces where id = ${to.ids.workspace} for update nowait`.execute(trx)
    })
    assert.equal((await accepting)?.status, 200)
  })

  test('of two workspaces that enter a code at the same time, one gets the site', async () => {
    const [from, to, third] = (await makeWorlds(3)) as [World, World, World]
    const code = await codeOf(from)
    const answers = await Promise.all([to, third].map(world => accept(world, code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
    const winner = answers[0]?.status === 200 ? to : third
    assert.equal(await ownerOf(from), winner.ids.workspace)
    assert.equal(
      (await service.store.read.selectFrom('site_offers').selectAll().where('site_id', '=', String(from.ids.site)).execute()).length,
      0,
    )
  })
})
