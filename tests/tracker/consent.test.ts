import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'
import type { Browser } from '../../tools/playwright.mjs'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { leave, onSite } from './site.ts'

const DO_NOT_TRACK = 'Object.defineProperty(navigator, "doNotTrack", { value: "1" })'
const GLOBAL_PRIVACY_CONTROL = 'Object.defineProperty(navigator, "globalPrivacyControl", { value: true })'

describe('pages and visitors that are not tracked', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  for (const [signal, before] of Object.entries({ DO_NOT_TRACK, GLOBAL_PRIVACY_CONTROL })) {
    test(`${signal} is respected if the site asks for it: nothing at all is sent`, () =>
      onSite(
        {
          attributes: 'data-dnt data-clicks data-vitals',
          pages: { '/': '<h1>x</h1>' },
        },
        async site => {
          const page = await site.visit(browser, '/', { before })
          await page.click('h1')
          await page.evaluate('footfall("Signup"); history.pushState({}, "", "/b")')
          await leave(page)
          await site.only([], 400)
        },
      ))

    test(`${signal} is ignored if the site does not ask for it`, () =>
      onSite(
        {
          attributes: 'data-dnt="false"',
        },
        async site => {
          await site.visit(browser, '/', { before })
          await site.until('pageview')
        },
      ))
  }

  test('data-dnt without the browser setting stops no hits', () =>
    onSite({ attributes: 'data-dnt' }, async site => {
      await site.visit(browser)
      await site.until('pageview')
    }))

  test('localStorage.footfall_ignore opts the browser out', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/', { before: 'try { localStorage.footfall_ignore = "true" } catch {}' })
      await page.evaluate('footfall("Signup")')
      await leave(page)
      await site.only([], 400)
    }))

  test('data-exclude leaves out whole paths, with all that happens there', () =>
    onSite(
      {
        attributes: 'data-exclude="/admin/*, /a.b,"',
      },
      async site => {
        const page = await site.visit(browser, '/admin/users/7')
        await page.evaluate('footfall("Signup")')
        for (const path of ['/a.b', '/a.b/', '/admin', '/axb', '/']) await page.goto(site.url + path)
        const views = await site.until('pageview', 3)
        assert.deepEqual(
          views.map(({ u }) => u),
          ['/admin', '/axb', '/'].map(path => site.url + path),
        )
        await site.until('engagement')
        assert.deepEqual([...new Set(await site.names())], ['engagement', 'pageview'])
        assert.ok(site.named('engagement').every(({ u }) => u === `${site.url}/admin` || u === `${site.url}/axb`))
      },
    ))

  test('data-include takes only those paths, and data-exclude is stronger', () =>
    onSite(
      {
        attributes: 'data-include="/blog/**" data-exclude="*/draft"',
      },
      async site => {
        const page = await site.visit(browser, '/')
        for (const path of ['/blog/a/draft', '/blog/a/b', '/blogs']) await page.goto(site.url + path)
        const views = await site.until('pageview')
        await site.names()
        assert.deepEqual(
          views.map(({ u }) => u),
          [`${site.url}/blog/a/b`],
        )
      },
    ))

  test('a page from a file is not counted, and may call footfall', () =>
    onSite({}, async site => {
      const folder = mkdtempSync(join(tmpdir(), 'footfall-page-'))
      const file = join(folder, 'page.html')
      writeFileSync(file, `<script data-domain="example.com" src="${site.url}/js/footfall.js"></script>`)
      const page = await browser.newPage()
      await page.goto(pathToFileURL(file).href)
      assert.equal(await page.evaluate('new Promise(callback => footfall("Signup", { callback }))'), undefined)
      await site.only([])
      rmSync(folder, { recursive: true })
    }))
})
