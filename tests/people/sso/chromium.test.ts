/** A whole sign-in by SAML in Chromium, service and provider on different sites: cookies, policies and redirects are the browser's own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { freePort } from '../../support/ports.ts'
import { startService } from '../../support/world.ts'
import { makeSigner } from './certificate.ts'
import { makeCompany } from './company.ts'
import { startSamlProvider } from './saml-provider.ts'

test('a person signs in through their company from the sign-in page', { skip: withoutChromium }, async () => {
  const [engine] = engines
  assert.ok(engine)
  const port = await freePort()
  const base = `http://localhost:${port}`
  const service = await startService(engine, { BASE_URL: base })
  service.clock.now = Date.now()
  const server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' })
  const signer = await makeSigner({ from: Date.now() - 86_400_000, until: Date.now() + 86_400_000 })
  const company = await makeCompany(service)
  const email = `ada@${company.domain}`
  const audience = `${base}/workspaces/${company.workspace}/sso/metadata`
  const provider = await startSamlProvider(signer, { nameId: 'p', email, audience })
  const browser = await launchChromium()
  try {
    await company.configure({
      status: 'active',
      idp_sso_url: provider.url,
      idp_entity_id: provider.entityId,
      idp_certs: JSON.stringify([signer.certificate]),
    })
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on(
      'console',
      message => message.type() === 'error' && message.text().includes('Content Security Policy') && complaints.push(message.text()),
    )
    await page.goto(`${base}/sign-in`)
    await page.getByRole('link', { name: 'Single sign-on of your company' }).click()
    await page.getByLabel('Work e-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/sites\/[^/]+\/overview$/)
    await page.goto(`${base}/account`)
    assert.ok((await page.content()).includes(email))
    assert.deepEqual(complaints, [])
  } finally {
    await browser.close()
    await provider.close()
    server.close()
    await service.close()
  }
})
