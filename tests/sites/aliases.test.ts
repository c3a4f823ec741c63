/** Other names of a site: hits that name them count for the site, and a name belongs to one site. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { type Asking, newSite } from '../reports/events/asking.ts'
import type { Trx } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { during } from '../support/overtaken.ts'
import { request, startService, type TestService } from '../support/world.ts'

const HOUR = 3_600_000
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onEachEngine('aliases of a site', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  let domain: string
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
    domain = (await site.get('sites_get')).data.domain
  })
  after(() => service.close())

  const fields = ({ data }: { data: any }) => [data.aliases, data.aliases_until]
  /** @returns whether a hit that names a site is dropped */
  async function send(named: string): Promise<string | null> {
    service.clock.now += 2_000 // the names of sites are known for a second
    const body = { n: 'pageview', u: `https://${domain}/`, d: named }
    const reply = await request(service, 'POST', '/api/event', { body, headers: { 'User-Agent': chrome } })
    return reply.headers.get('x-footfall-dropped')
  }

  test('hits of a former domain count for 72 hours', async () => {
    await site.get('sites_update', { domain: `new.${domain}` })
    const changed = await site.get('sites_update', { domain: `newer.${domain}` })
    assert.deepEqual(fields(changed), [[domain, `new.${domain}`], new Date(service.clock.now + 72 * HOUR).toISOString()])
    assert.equal(await send(domain), null)
    service.clock.now += 72 * HOUR
    assert.equal(await send(`new.${domain}`), 'unknown_site') // processes remember the other name for a second
    await createScheduler(service.app).runDue(['aliases_expire'])
    assert.deepEqual(fields(await site.get('sites_get')), [[], null])
  })

  test('an alias that is added while others end stays', async () => {
    await site.get('sites_update', { domain: `new.${domain}` })
    service.clock.now += 72 * HOUR
    const [id, alias] = [site.world.ids.site ?? '', { name: `kept.${domain}`, until: null }]
    const adding = async (trx: Trx) => {
      const { aliases } = await trx.selectFrom('sites').select('aliases').where('id', '=', id).executeTakeFirstOrThrow()
      const all = JSON.stringify([...JSON.parse(aliases), alias])
      await trx.updateTable('sites').set({ aliases: all }).where('id', '=', id).execute()
      await trx
        .insertInto('site_aliases')
        .values({ ...alias, site_id: id })
        .execute()
    }
    await during(service.store, adding, () => createScheduler(service.app).runDue(['aliases_expire']))
    assert.deepEqual(fields(await site.get('sites_get')), [[alias.name], null])
  })

  test('aliases stay for good, and may be ids of other products', async () => {
    const id = crypto.randomUUID()
    const { data } = await site.get('sites_update', { aliases: [`WWW.Old.${domain}`, id.toUpperCase(), domain] })
    assert.deepEqual([data.aliases, data.aliases_until], [[`old.${domain}`, id], null])
    service.clock.now += 1_000 * HOUR
    assert.equal(await send(`old.${domain}`), null)
    const umami = { type: 'event', payload: { website: id, url: '/', hostname: domain } }
    const reply = await request(service, 'POST', '/api/send', { body: umami, headers: { 'User-Agent': chrome } })
    assert.equal(reply.status, 200)
    assert.equal((await site.get('stats_aggregate', { period: '7d' })).data.metrics.pageviews, 2)
    await site.get('sites_update', { aliases: [] })
    while ((await send(`old.${domain}`)) !== 'unknown_site') await setTimeout(50) // a process knows a site for a second
  })

  test('a name belongs to one site of the installation', async () => {
    const other = await newSite(service)
    const otherDomain = (await other.get('sites_get')).data.domain
    const id = crypto.randomUUID()
    await other.get('sites_update', { umami_id: id, aliases: [`alias.${otherDomain}`] })
    for (const name of [otherDomain, id, `alias.${otherDomain}`])
      assert.deepEqual((await site.call('sites_update', { aliases: [name] })).body.error?.code, 'already_exists', name)
    assert.equal((await site.call('sites_update', { domain: `alias.${otherDomain}` })).body.error?.code, 'already_exists')
    const created = await site.call('sites_create', {
      site_id: undefined,
      workspace_id: site.world.ids.workspace,
      domain: `alias.${otherDomain}`,
    })
    assert.equal(created.body.error?.code, 'already_exists', created.text)
    assert.equal((await site.call('sites_update', { aliases: ['no domain'] })).status, 422)

    // A site that changes its domain back has it as its own, and a deleted site has no names.
    await other.get('sites_update', { domain: `alias.${otherDomain}` })
    assert.deepEqual((await other.get('sites_get')).data.aliases, [otherDomain])
    await other.get('sites_delete', { confirm: `alias.${otherDomain}` })
    assert.deepEqual((await site.get('sites_update', { aliases: [otherDomain] })).data.aliases, [otherDomain])
  })
})
