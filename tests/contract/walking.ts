/**
 * Runs in a copy of the sources that includes the examples of CONTRIBUTING and docs/engine.md: calls them on a new SQLite database and
 * prints the results. If something fails, the error is the last line.
 */
import { table } from '../../operations/index.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { engines } from '../support/engines.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { callHttp, fill, makeWorld, request, startService } from '../support/world.ts'

const [sqlite] = engines
if (!sqlite) throw new Error('there is an engine')
try {
  const service = await startService(sqlite, { GREETING_DAYS: 2 })
  const world = await makeWorld(service)
  service.clock.now += 7_300_000
  const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
  const saturday = Date.parse('2026-03-07T10:00:00Z')
  await keep(service.store, [hit(site, { at: saturday, who: 'early', visit: { device: 'tv' } })])
  const devices = ['mobile', 'tablet', 'desktop']
  await keep(
    service.store,
    devices.map(device => hit(site, { at: service.clock.now - 60_000, who: device, visit: { device } })),
  )
  const ask = async (id: string, input: Record<string, unknown>) => {
    const operation = table.operations.get(id)
    const given = { site_id: world.ids.site, period: '7d', ...input }
    return operation && (await callHttp(service, operation, given, world.token)).body.data
  }
  const { rows } = await ask('stats_breakdown', { dimension: 'handheld' })
  const handheld = rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors])
  const { metrics } = await ask('stats_aggregate', { filters: [['handheld', 'is', 'yes']] })
  const weekends = await ask('weekends_get', {})
  const call = async (id: string) => {
    const operation = table.operations.get(id)
    if (!operation) return `${id} is not there`
    const { status, body } = await callHttp(service, operation, fill(operation.examples[0]?.input ?? {}, world), world.token)
    return [status, body.data ?? body.error]
  }
  const [age, sent, got] = [await call('ages_get'), await call('greetings_create'), await call('greetings_get')]
  const greeting = `/sites/${world.ids.site}/greetings/${world.ids.greeting}`
  const { text: shown } = await request(service, 'GET', greeting, { token: world.shown.session ?? '', headers: { Accept: 'text/html' } })
  const events = await service.store.read.selectFrom('events').select('type').execute()
  const webhooks = table.operations.get('webhooks_create')?.input.properties.events?.items.enum
  service.clock.now += 2 * 86_400_000
  await createScheduler(service.app).runDue(['greetings_forget'])
  const forgotten = await call('greetings_get')
  await service.close()
  process.stdout.write(JSON.stringify({ handheld, kept: metrics.visitors, weekends, age, sent, got, forgotten, events, webhooks, shown }))
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
