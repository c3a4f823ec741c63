/**
 * `contacts`, which agents see as `openWorldHint`, is true to what happens. The examples of every operation run, and the test
 * observes queued mails and messages, names that are looked up, and connections. Deliveries to webhooks do not count: the
 * workspace asked for them, and nearly every change causes one.
 */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { Resolver } from 'node:dns/promises'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { carriedBy } from '../../adapters/surfaces.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, makeWorldOf, refusals, startService, type TestService, tokenOf, type World } from '../support/world.ts'

/** Operations whose examples contact none at once, with the reason why they may. */
const later: Readonly<Record<string, string>> = {
  account_update: 'a new address is mailed a link',
  alerts_create: 'channels are notified when the alert fires',
  alerts_update: 'channels are notified when the alert fires',
  assistant_ask: 'the language model of the operator, who has set up none here',
  assistant_continue: 'the language model of the operator, who has set up none here',
  channels_create: 'alerts notify it',
  channels_update: 'alerts notify it',
  email_reports_create: 'recipients get the reports of each period',
  email_reports_update: 'recipients get the reports of each period',
  imports_create: 'a file with a URL is downloaded in the background',
  sso_deactivate: 'owners are mailed if it was active',
  sso_domains_create: 'owners are mailed if single sign-on is active',
  sso_domains_delete: 'owners are mailed if single sign-on is active',
  status_incident_updates_create: 'subscribers are notified',
  status_incidents_create: 'subscribers are notified',
  status_incidents_update: 'subscribers are notified',
  uptime_checks_create: 'the host is probed',
  uptime_checks_resume: 'the host is probed',
  uptime_checks_update: 'the host is probed',
  workspace_uptime_checks_create: 'the host is probed',
  warehouse_syncs_create: 'the warehouse receives the data',
  warehouse_syncs_run: 'the warehouse receives the data',
  warehouse_syncs_update: 'the warehouse receives the data',
  webhook_deliveries_redeliver: 'the endpoint receives the delivery',
  webhooks_create: 'the endpoint receives deliveries',
  webhooks_test: 'the endpoint receives the delivery',
  webhooks_update: 'the endpoint receives deliveries',
}

onAnyEngine('contacts', engine => {
  let service: TestService
  let attempts: string[] = []
  /** For reads. */
  let kept: World
  const ownResolve = {
    resolve4: Resolver.prototype.resolve4,
    resolve6: Resolver.prototype.resolve6,
    resolveTxt: Resolver.prototype.resolveTxt,
  }
  const onSocket = () => attempts.push('socket')
  before(async () => {
    service = await startService(engine, { SMTP_URL: 'smtp://127.0.0.1:1', FEEDBACK_EMAIL: 'operator@example.com' })
    kept = await makeWorld(service)
    for (const name of ['resolve4', 'resolve6', 'resolveTxt'] as const)
      Resolver.prototype[name] = (async (host: string) => {
        attempts.push(host)
        throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      }) as never
    diagnostics.subscribe('net.client.socket', onSocket)
  })
  after(async () => {
    diagnostics.unsubscribe('net.client.socket', onSocket)
    Object.assign(Resolver.prototype, ownResolve)
    await service.close()
  })
  const queued = async () => {
    const { read } = service.store
    const counts = await Promise.all(
      (['mails', 'notifications', 'status_messages'] as const).map(name =>
        read
          .selectFrom(name)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      ),
    )
    return counts.reduce((sum, { n }) => sum + Number(n), 0)
  }

  for (const row of table.operations.values()) {
    if (!carriedBy('mcp', row)) continue
    test(`${row.id} contacts a host or a person only if it says so`, async () => {
      const seen: string[] = []
      for (const { input } of row.examples) {
        const world = row.effect === 'read' ? kept : await makeWorldOf(service, row)
        const before = await queued()
        attempts = []
        const { status, text } = await callHttp(service, row, fill(input, world), tokenOf(world, row))
        assert.ok(status === row.status || row.id in refusals, text)
        const [first] = attempts
        if ((await queued()) > before) seen.push('a mail or a message')
        if (first !== undefined) seen.push(first)
      }
      if (!row.contacts) assert.deepEqual(seen, [], 'declare `contacts: true`')
      else assert.equal(seen.length === 0, Object.hasOwn(later, row.id), `it contacted: ${seen}`)
    })
  }
})
