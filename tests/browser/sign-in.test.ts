/**
 * A person in a real browser: the link of the machine, a password, a second factor, a passkey, an invitation that
 * somebody else accepts. Every page on the way is looked at by axe, in both schemes and at both widths.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import type { Page } from '../../tools/playwright.mjs'
import { totpOf } from '../../operations/people/two-factor/totp-codes.ts'
import { faultsOf, protocolOf } from '../support/axe.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { engines, onAnyEngine } from '../support/engines.ts'
import { linkFor } from '../people/sign-in/people.ts'
import { makeWorld, request, startService } from '../support/world.ts'
import { freePort } from '../support/ports.ts'

onAnyEngine('signing in with Chromium', engine => {
  test('from the link of the machine to a passkey, and a colleague who is invited', {
    skip: withoutChromium,
  }, async () => {
    const port = await freePort()
    const base = `http://localhost:${port}`
    const service = await startService(engine, { BASE_URL: base })
    const server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' })
    const browser = await launchChromium()
    const troubles: string[] = []
    const faults: string[] = []
    const profile = async (): Promise<Page> => {
      const context = await browser.newContext()
      const page = await context.newPage()
      page.on('console', message => {
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) troubles.push(message.text())
      })
      page.on('request', asked => {
        if (!asked.url().startsWith(base) && !asked.url().startsWith('data:')) troubles.push(asked.url())
      })
      return page
    }
    try {
      const world = await makeWorld(service)
      const page = await profile()
      const look = async (which = page) => {
        if (engine === engines[0]) faults.push(...(await faultsOf(which))) // what is shown does not depend on it
      }
      const press = (name: string, which = page) => which.getByRole('button', { name, exact: true }).click()
      const isAt = async (path: string) => page.waitForURL(`${base}${path}`)
      /** Signed in: at the only site, from where the account is opened. */
      const isIn = async (which = page) => {
        await which.waitForURL(({ pathname }) => pathname.startsWith(`/sites/${world.ids.site}`))
        await which.goto(`${base}/account`)
      }

      /** In the menu of the person, which is in the side of wide windows. */
      const signOut = async () => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.locator('.person summary').click()
        await page.locator('#menu').getByRole('button', { name: 'Sign out' }).click()
      }

      // The first link: a weak password is reported next to the field, a good one signs in.
      await page.goto(`${base}/links/${await linkFor(service, world.owner.accountId)}`)
      await look()
      await page.getByLabel('E-mail address').fill('ada@example.com')
      await page.getByLabel('Password').fill('password123')
      await press('Set password and sign in')
      await page.getByText('This password is too common').waitFor()
      await look()
      await page.getByLabel('Password').fill('a sentence of mine')
      await press('Set password and sign in')
      await isIn()
      await look()

      // Out and in again.
      await signOut()
      await isAt('/sign-in')
      await look()
      const typePassword = async () => {
        await page.getByLabel('E-mail address').fill('ada@example.com')
        await page.getByLabel('Password').fill('a sentence of mine')
        await press('Sign in')
      }
      await typePassword()
      await isIn()

      // A second factor.
      const typeCurrentPassword = () => page.locator('#factors-current-password').fill('a sentence of mine')
      await typeCurrentPassword()
      await press('Set up')
      const secret = (await page.locator('.kept pre').textContent()) ?? ''
      const code = () => totpOf(secret).generate({ timestamp: service.clock.now })
      await look()
      await page.getByLabel('Six-digit code').fill(code())
      await press('Turn it on')
      await page.getByText('Recovery codes').first().waitFor()
      await look()
      assert.equal((await page.locator('.kept pre').textContent())?.split('\n').length, 10)
      await page.getByRole('link', { name: 'I have kept them' }).click()
      await signOut()
      service.clock.now += 30_000
      await typePassword()
      await isAt('/sign-in/code')
      await look()
      await page.getByLabel('Six-digit code').fill('000000')
      await press('Sign in')
      await page.getByText('Sign-in failed').waitFor()
      await page.getByLabel('Six-digit code').fill(code())
      await press('Sign in')
      await isIn()

      // A passkey, which asks for neither.
      const client = await protocolOf(page)
      await client.send('WebAuthn.enable')
      await client.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await typeCurrentPassword()
      await press('Add a passkey')
      await page.locator('.tag', { hasText: 'passkey' }).nth(2).waitFor() // two are the example's
      await look()
      await signOut()
      await press('Sign in with a passkey')
      await isIn()

      // A colleague, in another profile and without scripts.
      const path = `/workspaces/${world.ids.workspace}`
      const { body } = await request(service, 'POST', `${path}/invitations.json`, {
        token: world.token,
        body: { email: 'grace@example.com', role: 'editor' },
      })
      const other = await browser.newContext({ javaScriptEnabled: false })
      const theirs = await other.newPage()
      await theirs.goto(body.data.url)
      await theirs.getByLabel('Name').fill('Grace')
      await theirs.getByLabel('Password').fill('another sentence')
      await press('Join', theirs)
      await isIn(theirs)
      await theirs.getByText('Acme').waitFor()
      const members = (await request(service, 'GET', `${path}/members.json?per_page=100`, { token: world.token })).body.data
      const grace = members.find(({ email }: { email: string }) => email === 'grace@example.com')
      await request(service, 'PATCH', `${path}/members/${grace.id}.json`, { token: world.token, body: { role: 'viewer' } })
      await theirs.reload()
      await theirs.getByText('viewer').waitFor()
      await request(service, 'DELETE', `${path}/members/${grace.id}.json`, { token: world.token, body: {} })
      await theirs.reload()
      await theirs.getByText('You are not a member of any workspace').waitFor()

      assert.deepEqual(faults, [])
      assert.deepEqual(troubles, [], 'nothing was blocked, nothing went elsewhere')
      // axe finds a control without a name.
      await page.evaluate('document.querySelector("main").append(document.createElement("input"))')
      assert.ok((await faultsOf(page)).some(fault => fault.includes('label')))
      const inline = await page.evaluate(
        'new Promise(done => { addEventListener("securitypolicyviolation", () => done(true)); const s = document.createElement("script"); s.textContent = "window.ran = 1"; document.body.append(s); setTimeout(() => done(false), 500) })',
      )
      assert.deepEqual([inline, await page.evaluate('window.ran')], [true, undefined], 'an inline script is blocked')
    } finally {
      await browser.close()
      await new Promise(resolve => server.close(resolve))
      await service.close()
    }
  })
})
