/** The contact for vulnerabilities of an installation (RFC 9116). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { request, startService } from '../support/world.ts'

onAnyEngine('/.well-known/security.txt', engine => {
  const path = '/.well-known/security.txt'

  test('names the contact that the operator has set, and when it becomes stale', async () => {
    const service = await startService(engine, { SECURITY_CONTACT: 'mailto:security@example.com' })
    const { status, headers, text } = await request(service, 'GET', path)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    const expires = new Date(service.clock.now + 90 * 86_400_000).toISOString()
    assert.equal(text, `Contact: mailto:security@example.com\nExpires: ${expires}\nCanonical: http://footfall.test${path}\n`)
    await service.close()
  })

  test('is not there without a contact, and a contact that is no address stops the start', async () => {
    const service = await startService(engine)
    assert.equal((await request(service, 'GET', path)).status, 404)
    await service.close()
    await assert.rejects(startService(engine, { SECURITY_CONTACT: 'security@example.com\nExpires: never' }), /SECURITY_CONTACT/)
  })
})
