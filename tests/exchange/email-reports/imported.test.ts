/** Imported history in e-mail reports: included by default, and left out by a switch. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callHttp } from '../../support/world.ts'
import { type Importing, type Site, siteIn, startImporting } from '../imports/site.ts'

onAnyEngine('imported history in e-mail reports', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
    site = await siteIn(service)
    const day = (days: number) => new Date(service.clock.now - days * 86_400_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 30 }, (_, i) => `${day(i + 1)},4321,4321,4321`)
    const done = await site.load('plausible', 'imported_visitors.csv', ['date,visitors,visits,pageviews', ...rows].join('\n'))
    assert.equal(done.status, 'completed', JSON.stringify(done))
  })
  after(() => service.close())

  async function call(name: string, input: Record<string, unknown>) {
    const operation = table.operations.get(name) ?? assert.fail(name)
    const reply = await callHttp(service, operation, { workspace_id: site.world.ids.workspace, ...input }, site.world.token)
    assert.ok(reply.status < 300, reply.text)
    return reply
  }

  test('is in their figures with a note, unless the report leaves it out', async () => {
    const made = await call('email_reports_create', {
      name: 'Week',
      site_ids: [site.id],
      recipients: ['ada@example.org'],
    })
    const { id, include_imported } = made.body.data
    assert.equal(include_imported, true)
    const included = (await call('email_reports_preview', { id })).text
    assert.match(included, /30,247/)
    assert.match(included, /Includes imported daily totals/)
    const changed = await call('email_reports_update', { id, include_imported: false })
    assert.equal(changed.body.data.include_imported, false)
    assert.equal((await call('email_reports_update', { id, hour: 7 })).body.data.include_imported, false, 'another change keeps it')
    const without = (await call('email_reports_preview', { id })).text
    assert.doesNotMatch(without, /30,247|imported daily totals/)
    assert.match(without, /include_imported=false/, 'and so does the page that it leads to')
  })
})
