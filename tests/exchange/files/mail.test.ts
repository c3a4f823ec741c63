/** The person who starts an import or export gets a mail when it ends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { request } from '../../support/world.ts'
import { type MailServer, startMailServer } from '../../watch/channels/receivers.ts'
import { type Importing, type Site, siteIn, startImporting } from '../imports/site.ts'

onAnyEngine('mails about imports and exports', engine => {
  let service: Importing
  let server: MailServer
  let site: Site
  before(async () => {
    server = await startMailServer()
    service = await startImporting(engine, { SMTP_URL: server.url })
    site = await siteIn(service)
  })
  after(async () => {
    await service.close()
    await server.close()
  })
  const told = async () => {
    await service.run()
    await service.run(['mails_send'])
    return server.mails.splice(0)
  }
  const hits = (...lines: object[]) => `${lines.map(line => JSON.stringify(line)).join('\n')}\n`

  test('an export that is ready, with a link to its page and none to the file', async () => {
    const { data } = await site.get('exports_create', { kind: 'hits' })
    const [mail, ...others] = await told()
    assert.deepEqual([mail?.to, others.length], [[site.world.owner.email], 0])
    assert.equal(mail?.headers.subject, 'The export of Example is ready')
    assert.match(mail?.text ?? '', new RegExp(`http://footfall\\.test/sites/${site.id}/exports/${data.id}$`))
    assert.doesNotMatch(mail?.text ?? '', /signature=/)
  })

  test('an import that went well, and one that failed', async () => {
    const good = await site.upload('footfall', 'hits.ndjson', hits({ timestamp: '2026-03-01T10:00:00Z', url: '/', visitor: 'a' }))
    const bad = await site.upload('plausible', 'nothing.zip', 'no archive')
    await site.ask('imports_start', { id: good })
    await site.ask('imports_start', { id: bad })
    const mails = await told()
    const [done] = mails.filter(({ headers }) => /is done/.test(headers.subject ?? ''))
    assert.equal(done?.headers.subject, 'The import into Example is done', JSON.stringify(mails))
    assert.match(done?.text ?? '', /^1 row was imported\./)
    assert.match(done?.text ?? '', new RegExp(`/sites/${site.id}/imports/${good}$`))
  })

  test('no mail goes to a person who disabled product mails, left the workspace, or cancelled the job', async () => {
    const quiet = await site.world.join('admin')
    const make = (token: string) => request(service, 'POST', `/sites/${site.id}/exports`, { token, body: { kind: 'visits' } })
    await request(service, 'PATCH', '/account', { token: quiet.token, body: { product_emails: false } })
    assert.equal((await make(quiet.token)).status, 201)
    const gone = await site.world.join('admin')
    assert.equal((await make(gone.token)).status, 201)
    await request(service, 'DELETE', `/workspaces/${site.world.ids.workspace}/members/${gone.memberId}`, { token: site.world.token })
    const { data } = await site.get('exports_create', { kind: 'visits' })
    await site.get('exports_cancel', { id: data.id })
    assert.deepEqual(await told(), [])
  })
})
