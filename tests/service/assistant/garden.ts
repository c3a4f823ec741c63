/** The demo's shop at the clock of the questions: two years of visits, goals, notes and a check. */
import assert from 'node:assert/strict'
import { fill } from '../../../scripts/demo/fill.ts'
import { makeRecords } from '../../../scripts/demo/records.ts'
import { watchShop } from '../../../scripts/demo/uptime.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { randomBytes } from '../../support/chance.ts'
import { request, type TestService, type World } from '../../support/world.ts'
import { NOW, ZONE } from './expected.ts'

/** @returns the id of the site */
export async function makeGarden(service: TestService, { ids, token }: World, hits = 12_000): Promise<string> {
  service.clock.now = NOW
  const workspace = ids.workspace ?? ''
  const made = await request(service, 'POST', `/workspaces/${workspace}/sites.json`, {
    token,
    body: { domain: `garden-${randomBytes(4).toString('hex')}.example.com`, timezone: ZONE },
  })
  assert.equal(made.status, 201, made.text)
  const site: string = made.body.data.id
  const place = { workspace, site, token }
  await makeRecords(service.web, place, NOW)
  await watchShop(service, { place, now: NOW, seed: 7 })
  const { number } = await service.store.read.selectFrom('sites').select('number').where('id', '=', site).executeTakeFirstOrThrow()
  await fill(service.store, {
    site: number,
    zone: ZONE,
    seed: 7,
    hits,
    today: localDay(ZONE, NOW).day,
    now: () => NOW,
    randomBytes,
    onProgress() {},
  })
  return site
}
