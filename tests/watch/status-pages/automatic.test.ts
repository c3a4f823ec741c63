/** Incidents that open by themselves, and several processes that see the same. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { openAutomatic, resolveAutomatic } from '../../../operations/watch/status-pages/automatic.ts'
import { followClock } from '../../../operations/watch/status-pages/clock.ts'
import { ids as uptimeIds } from '../../../operations/watch/uptime/records.ts'
import { openStore } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { engines, onAnyEngine } from '../../support/engines.ts'
import { HOUR, makePage, MINUTE, type Shown, startTelling, subscribed, type Telling } from './telling.ts'

const newId = (now: number) => (kind: { prefix: string }) => makeId(kind, now, randomBytes(14))

async function down({ watching: { service } }: Telling, { checks }: Shown, which: readonly number[], at: number): Promise<void> {
  for (const i of which) {
    const number = checks[i]?.number ?? 0
    await service.store.write.updateTable('uptime_checks').set({ status: 'down', status_since: at }).where('number', '=', number).execute()
    await service.store.write
      .insertInto('uptime_incidents')
      .values({
        id: newId(service.clock.now)(uptimeIds.incident),
        check_number: number,
        started_at: at,
        resolved_at: null,
        cause: 'timeout',
        errors: '{}',
        failed_locations: '[]',
      })
      .execute()
  }
}

async function up({ watching: { service } }: Telling, { checks }: Shown, which: readonly number[]): Promise<void> {
  for (const i of which) {
    const number = checks[i]?.number ?? 0
    const now = service.clock.now
    await service.store.write.updateTable('uptime_checks').set({ status: 'up', status_since: now }).where('number', '=', number).execute()
    await service.store.write
      .updateTable('uptime_incidents')
      .set({ resolved_at: now })
      .where('check_number', '=', number)
      .where('resolved_at', 'is', null)
      .execute()
  }
}

onAnyEngine('automatic incidents', engine => {
  let telling: Telling
  before(async () => {
    telling = await startTelling(engine)
  })
  after(() => telling.close())
  beforeEach(() => {
    telling.watching.service.clock.now += 24 * HOUR
    telling.mail.mails.length = 0
  })
  const clock = () => telling.watching.service.clock
  const watch = async (ms: number) => {
    await telling.watching.pass(ms, ['status_incidents_watch'])
    await telling.watching.run(['status_messages_make'])
    await telling.watching.run(['status_messages_send'])
  }
  const incidents = async ({ world, page }: Shown) => {
    const { body } = await telling.watching.call(world, 'GET', `/status_pages/${page}/incidents`)
    return Promise.all(
      body.data.map(async ({ id }: any) => (await telling.watching.call(world, 'GET', `/status_pages/${page}/incidents/${id}`)).body.data),
    ) as Promise<any[]>
  }

  test('open after 5 minutes, take in what goes down too, and are resolved with the last of it', async () => {
    const shown = await makePage(telling, 3, { auto_incidents: true })
    await subscribed(telling, shown, 'reader@example.org')
    const at = clock().now
    await down(telling, shown, [0], at)
    await watch(5 * MINUTE - 1_000)
    assert.deepEqual(await incidents(shown), [])
    await watch(10_000)
    const [first] = await incidents(shown)
    assert.deepEqual(
      [first.title, first.automatic, first.status, first.starts_at],
      ['Check 1 is down', true, 'investigating', new Date(at).toISOString()],
    )
    assert.equal(telling.mail.mails.length, 1)
    await down(telling, shown, [1, 2], clock().now)
    await watch(5 * MINUTE)
    await watch(10_000)
    const [joined, ...others] = await incidents(shown)
    assert.deepEqual([joined.check_ids.length, joined.updates[0].body, others.length], [3, 'Check 2 and Check 3 are down too.', 0])
    await up(telling, shown, [0, 1])
    await watch(MINUTE)
    assert.equal((await incidents(shown))[0].status, 'investigating')
    await up(telling, shown, [2])
    await watch(6 * MINUTE)
    await watch(10_000)
    const [resolved] = await incidents(shown)
    assert.deepEqual([resolved.status, resolved.updates.length], ['resolved', 3])
    assert.deepEqual(
      telling.mail.mails.map(({ headers }) => headers.subject),
      ['[Acme] Investigating: Check 1 is down', '[Acme] Investigating: Check 1 is down', '[Acme] Resolved: Check 1 is down'],
    )
    await down(telling, shown, [0], clock().now)
    await watch(6 * MINUTE)
    assert.equal((await incidents(shown)).length, 2, 'the next outage is another one')
  })

  test('do not open for pages that do not want them, checks that are not public or paused, and twice for one outage', async () => {
    const unwanted = await makePage(telling, 1)
    const hidden = await makePage(telling, 2, { auto_incidents: true })
    const wanted = await makePage(telling, 1, { auto_incidents: true })
    const { store } = telling.watching.service
    await store.write
      .updateTable('uptime_checks')
      .set({ public: 0 })
      .where('number', '=', hidden.checks[0]?.number ?? 0)
      .execute()
    for (const each of [unwanted, hidden, wanted]) await down(telling, each, [0], clock().now)
    await down(telling, hidden, [1], clock().now)
    await telling.watching.call(hidden.world, 'POST', `/uptime/checks/${hidden.checks[1]?.id}/pause`)
    await watch(6 * MINUTE)
    assert.deepEqual([await incidents(unwanted), await incidents(hidden)], [[], []])
    const [made] = await incidents(wanted)
    await telling.watching.call(wanted.world, 'POST', `/status_pages/${wanted.page}/incidents/${made.id}/updates`, { status: 'resolved' })
    await watch(6 * MINUTE)
    assert.equal((await incidents(wanted)).length, 1, 'a person has resolved it')
  })
})

const postgres = engines.find(({ name }) => name === 'postgres')

describe('two processes on postgres', { skip: !postgres }, () => {
  test('two workers open, resolve and announce one automatic incident once, and follow the clock once', async () => {
    assert.ok(postgres)
    const telling = await startTelling(postgres)
    const { service } = telling.watching
    const other = openStore(service.url, { connections: 6 })
    try {
      const shown = await makePage(telling, 4, { auto_incidents: true })
      for (let i = 0; i < 30; i++) await subscribed(telling, shown, `reader-${i}@example.org`)
      await down(telling, shown, [0, 1, 2, 3], service.clock.now - HOUR)
      const now = service.clock.now
      const inEach = (change: typeof openAutomatic, id: string) =>
        Promise.all(
          [service.store, other, service.store, other].map(store =>
            store.transaction(db => change({ db, now, config: service.app.config, newId: newId(now) }, id)),
          ),
        )
      await inEach(openAutomatic, shown.page)
      const all = () => service.store.read.selectFrom('status_incidents').selectAll().where('page_id', '=', shown.page).execute()
      const [made, ...more] = await all()
      assert.ok(made)
      assert.deepEqual([more.length, made.automatic_for], [0, shown.page])
      const apps = [service.store, other].map(store =>
        createApp({ store, table, log: service.app.log, config: service.app.config, now: () => service.clock.now, random: randomBytes }),
      )
      const schedulers = apps.map(app => createScheduler(app))
      await Promise.all(schedulers.map(scheduler => scheduler.runDue(['status_messages_make'])))
      for (let i = 0; i < 4; i++) await Promise.all(schedulers.map(scheduler => scheduler.runDue(['status_messages_send'])))
      const addresses = telling.mail.mails.map(({ to }) => String(to))
      assert.equal(new Set(addresses).size, addresses.length)
      assert.equal(addresses.length, 30)
      await up(telling, shown, [0, 1, 2, 3])
      await inEach(resolveAutomatic, made.id)
      const updates = await service.store.read
        .selectFrom('status_incident_updates')
        .select('status')
        .where('incident_id', '=', made.id)
        .execute()
      assert.deepEqual(updates.map(({ status }) => status).sort(), ['investigating', 'resolved'])
      const planned = await telling.watching.call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, {
        kind: 'maintenance',
        title: 'Move',
        starts_at: new Date(now - 1_000).toISOString(),
        ends_at: new Date(now + 1_000).toISOString(),
      })
      await service.store.write
        .updateTable('status_incidents')
        .set({ clock_at: now, ends_at: now })
        .where('id', '=', planned.body.data.id)
        .execute()
      await inEach(followClock, planned.body.data.id)
      const told = await service.store.read
        .selectFrom('status_incident_updates')
        .select('status')
        .where('incident_id', '=', planned.body.data.id)
        .execute()
      assert.equal(told.length, 2)
      for (const app of apps) await app.close()
    } finally {
      await other.close()
      await telling.close()
    }
  })
})
