/** `/metrics`: its content, parsed like a scraper does, and who may read it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { meters, openMetrics } from '../../../runtime/observability/metrics.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, request, startService, type TestService } from '../../support/world.ts'
import { parse, valueOf } from './exposition.ts'
import { MINUTE, SECOND, taskOf } from './tasks.ts'
import { hits_total } from '../../../operations/sites/collection/meters.ts'
import { webhook_deliveries_total, webhook_delivery_duration_seconds } from '../../../operations/exchange/webhooks/meters.ts'

onAnyEngine('/metrics', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  async function scrape(headers: Record<string, string> = {}) {
    const { status, headers: answered, text } = await request(service, 'GET', '/metrics', { headers })
    assert.equal(status, 200, text)
    assert.match(answered.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    assert.equal(answered.get('cache-control'), 'no-store')
    return parse(text)
  }

  test('counts calls by operation, surface and status, also those before anyone asked', async () => {
    const { ids, token } = await makeWorld(service)
    for (let i = 0; i < 3; i++) await request(service, 'GET', `/sites/${ids.site}`, { token })
    await request(service, 'GET', '/sites/pa_none', { token })
    await request(service, 'GET', `/sites/${ids.site}`)
    await callTool(service, 'sites_get', { site_id: ids.site }, token)
    const families = await scrape()
    const calls = (surface: string, status: string) =>
      valueOf(families, 'footfall_requests_total', { operation: 'sites_get', surface, status })
    assert.deepEqual(
      ['200', '404', '401', '500'].map(status => calls('http', status)),
      [3, 1, 1, undefined],
    )
    assert.equal(calls('mcp', '200'), 1)
    assert.equal(valueOf(families, 'footfall_request_duration_seconds_count', { operation: 'sites_get' }), 6)
    assert.equal(families.get('footfall_requests_total')?.type, 'counter')
    const total = [...families.values()].flatMap(({ samples }) => samples).length
    assert.ok(total < 2_000, `${total} samples`)
  })

  test('shows every meter with its help, the process, and nothing of who was here', async () => {
    const { ids, token, owner } = await makeWorld(service)
    await request(service, 'GET', `/sites/${ids.site}`, { token })
    const families = await scrape()
    for (const [name, { kind, help }] of Object.entries(service.app.table.meters)) {
      const family = families.get(`footfall_${name}`)
      assert.deepEqual([family?.type, family?.help], [kind, help], name)
    }
    assert.ok(families.has('process_resident_memory_bytes'))
    const { text } = await request(service, 'GET', '/metrics')
    const { site, workspace, domain } = ids
    for (const secret of [token, site, workspace, domain, owner.email]) assert.ok(secret && !text.includes(secret))
  })

  test('counts endpoints by their route, what they refuse too, and preflights not', async () => {
    const { ids } = await makeWorld(service)
    const hit = (body: string) => request(service, 'POST', '/api/event', { body })
    const stored = JSON.stringify({ name: 'pageview', url: `https://${ids.domain}/`, domain: ids.domain })
    const before = await scrape()
    assert.equal((await hit(stored)).status, 202)
    assert.equal((await hit('no json')).status, 400)
    assert.equal((await hit('x'.repeat(70_000))).status, 413)
    assert.equal((await request(service, 'OPTIONS', '/api/event')).status, 204)
    const after = await scrape()
    const grown = (name: string, labels: Record<string, string>) =>
      (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0)
    const operation = 'POST /api/event'
    const calls = ['202', '400', '413', '204'].map(status => grown('footfall_requests_total', { operation, surface: 'http', status }))
    assert.deepEqual(calls, [1, 1, 1, 0])
    assert.equal(grown('footfall_request_duration_seconds_count', { operation }), 3)
  })

  test('a duration counts in the bucket whose bound it does not exceed, and in all above', async () => {
    const metrics = openMetrics()
    const observe = metrics.observer(meters.task_duration_seconds, { task: 'a "quoted" \\ one\nin two lines' })
    for (const ms of [0, 5, 5.5, 30_000, 30_000.5]) observe(ms)
    const families = parse((await metrics.expose()).text)
    const task = 'a \\"quoted\\" \\\\ one\\nin two lines'
    const upTo = (le: string) => valueOf(families, 'footfall_task_duration_seconds_bucket', { task, le })
    assert.deepEqual(['0.005', '0.01', '10', '30', '+Inf'].map(upTo), [2, 3, 3, 4, 5])
    assert.equal(valueOf(families, 'footfall_task_duration_seconds_sum', { task }), 60.011)
  })

  test('takes what other areas count', async () => {
    const before = await scrape()
    service.app.metrics.add(hits_total, { outcome: 'stored' }, 5)
    service.app.metrics.add(webhook_deliveries_total, { outcome: 'failed' })
    service.app.metrics.observe(webhook_delivery_duration_seconds, {}, 1_500)
    const after = await scrape()
    const grown = (name: string, labels?: Record<string, string>) =>
      (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0)
    assert.equal(grown('footfall_hits_total', { outcome: 'stored' }), 5)
    assert.equal(grown('footfall_webhook_deliveries_total', { outcome: 'failed' }), 1)
    assert.equal(grown('footfall_webhook_delivery_duration_seconds_sum'), 1.5)
    assert.equal(grown('footfall_webhook_delivery_duration_seconds_bucket', { le: '1' }), 0)
    assert.equal(grown('footfall_webhook_delivery_duration_seconds_bucket', { le: '2.5' }), 1)
  })

  test('shows runs, lag and progress of tasks, and the depth of queues, from the database', async () => {
    const { tasks } = service.app.table
    const alone = tasks.find(({ name }) => name === 'rows_expire')
    const queued = tasks.find(({ queue }) => queue?.table === 'alerts')
    assert.ok(alone && queued)
    await makeWorld(service)
    const { now } = service.clock
    await service.store.write.updateTable('alerts').set({ evaluate_at: null }).execute()
    await service.store.write
      .updateTable('alerts')
      .set({ evaluate_at: now - 7 * SECOND })
      .where('id', '=', db => db.selectFrom('alerts').select('id').limit(1))
      .execute()
    await createScheduler(service.app, [{ ...taskOf('rows_expire', async ({ progress }) => progress(4, 9)) }]).runDue()
    service.clock.now += 3 * MINUTE
    const families = await scrape()
    assert.equal(valueOf(families, 'footfall_task_runs_total', { task: 'rows_expire', outcome: 'done' }), 1)
    assert.equal(valueOf(families, 'footfall_task_duration_seconds_count', { task: 'rows_expire' }), 1)
    assert.equal(valueOf(families, 'footfall_task_lag_seconds', { task: 'rows_expire' }), 120)
    assert.equal(valueOf(families, 'footfall_task_steps_done', { task: 'rows_expire' }), 4)
    assert.equal(valueOf(families, 'footfall_task_steps', { task: 'rows_expire' }), 9)
    assert.equal(valueOf(families, 'footfall_queue_depth', { task: queued.name }), 1)
    assert.equal(valueOf(families, 'footfall_queue_lag_seconds', { task: queued.name }), 187)
  })

  test('goes on showing what the process knows when the database does not answer', async () => {
    await service.store.write.schema.alterTable('tasks').renameTo('tasks_away').execute()
    try {
      const families = await scrape()
      assert.ok(families.has('footfall_requests_total'))
      assert.ok(!families.has('footfall_task_lag_seconds'))
    } finally {
      await service.store.write.schema.alterTable('tasks_away').renameTo('tasks').execute()
    }
  })

  test('is for this machine and private networks, unless there is a token for it', async () => {
    const codeFor = async (headers: Record<string, string>) => {
      const { status, body } = await request(service, 'GET', '/metrics', { headers })
      return [status, body?.error?.code]
    }
    assert.deepEqual(await codeFor({}), [200, undefined])
    assert.deepEqual(await codeFor({ 'X-Forwarded-For': '10.0.0.1' }), [403, 'ip_not_allowed'], 'a proxy nobody trusts')
    assert.deepEqual(await codeFor({ Forwarded: 'for=10.0.0.1' }), [403, 'ip_not_allowed'])

    const proxied = await startService(engine, { TRUSTED_PROXIES: ['127.0.0.1'] })
    const hops = { '10.1.2.3': 200, 'fd00::1': 200, '81.2.69.160': 403, '2a00::1': 403, '10.1.2.3, 81.2.69.160': 403 }
    for (const [from, wanted] of Object.entries(hops)) {
      const { status } = await request(proxied, 'GET', '/metrics', { headers: { 'X-Forwarded-For': from } })
      assert.equal(status, wanted, from)
    }
    await proxied.close()

    const guarded = await startService(engine, { METRICS_TOKEN: 'sesame', TRUSTED_PROXIES: ['127.0.0.1'] })
    const token = (await makeWorld(guarded)).token
    const as = async (authorization: string | undefined) => {
      const { status, body, headers } = await request(guarded, 'GET', '/metrics', {
        headers: { 'X-Forwarded-For': '81.2.69.160', ...(authorization && { Authorization: authorization }) },
      })
      return [status, body?.error?.code, headers.has('www-authenticate')]
    }
    assert.deepEqual(await as('Bearer sesame'), [200, undefined, false])
    assert.deepEqual(await as(undefined), [401, 'authentication_required', true])
    assert.deepEqual(await as('Bearer sesam'), [401, 'invalid_token', true])
    assert.deepEqual(await as(`Bearer ${token}`), [401, 'invalid_token', true], 'no API token opens it')
    await guarded.close()
  })
})
