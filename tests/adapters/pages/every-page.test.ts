/** Every page that the table makes, in a real browser: readable for all, on narrow screens, with nothing from elsewhere. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hasForm, hasPage } from '../../../adapters/surfaces.ts'
import { spotsOf } from '../../../adapters/pages/page-tree.ts'
import { filled } from '../../../runtime/ui/words.ts'
import { table } from '../../../operations/index.ts'
import type { NamedOperation } from '../../../runtime/table/table.ts'
import { hasView, loadAreaViews } from '../../../adapters/pages/area-views.ts'
import { rulesOf, violationsOf } from '../../support/axe.ts'
import { withoutWholeChromium } from '../../support/chromium.ts'
import { isFull, someOf } from '../../support/full.ts'
import { fill } from '../../support/world.ts'
import { type Opened, openBrowser } from './browser.ts'

const variants = [
  ['light', 360],
  ['dark', 1280],
  ['dark', 360],
] as const

test('every page in Chromium', { skip: withoutWholeChromium }, async t => {
  let opened: Opened
  before(async () => {
    await loadAreaViews(table)
    opened = await openBrowser({ whole: true })
  })
  after(() => opened.close())

  /** A normal run opens some pages with a view of their own, some that are made only from schemas, and some forms. */
  const addresses = (): string[] => {
    const addressOf = (row: NamedOperation) => {
      const input = fill(row.examples[0]?.input ?? {}, opened.world)
      const query = Object.entries(input).filter(([name]) => !Object.hasOwn(row.pathInput, name))
      const path = filled(row.path, Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])])))
      const text = new URLSearchParams(query.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
      return text.size > 0 ? `${path}?${text}` : path
    }
    const rows = [...table.operations.values()].filter(hasPage)
    const [viewed, others] = [rows.filter(row => hasView(table, row)), rows.filter(row => !hasView(table, row))]
    return [...[...someOf(viewed, 8), ...someOf(others, 3)].map(addressOf), ...someOf(forms(), 4), '/account', '/nowhere']
  }

  /** Addresses at which the page of a list or a record shows a form. */
  const forms = (): string[] => {
    const { spotOf } = spotsOf(table)
    return [...table.operations.values()].filter(hasForm).flatMap(row => {
      const page = spotOf.get(row.id)
      if (!page || row.undoes !== undefined || !page.does.includes(row)) return []
      const input = fill(row.examples[0]?.input ?? {}, opened.world)
      const names = Object.keys(page.operation.pathInput)
      return [`${filled(page.operation.path, Object.fromEntries(names.map(name => [name, String(input[name])])))}?do=${row.id}`]
    })
  }

  await t.test('axe finds nothing, nothing is cut off, and nothing is asked of others', async () => {
    const context = await opened.signedIn()
    const page = await context.newPage()
    const strange: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith(opened.base)) strange.push(request.url())
    })
    page.on('console', message => {
      if (/^(error|warning)$/.test(message.type()) && !/status of (404|422)/.test(message.text()))
        strange.push(`${page.url()}: ${message.text()}`)
    })
    page.on('pageerror', error => strange.push(`${page.url()}: ${error.message}`))
    const faults: string[] = []
    for (const [i, path] of addresses().entries()) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'light' })
      const response = await page.goto(opened.base + path)
      if ((response?.status() ?? 500) >= 500) faults.push(`${path}: ${response?.status()}`)
      faults.push(...(await violationsOf(page)).map(each => `${path}, light, 1280: ${each}`))
      // Checks that depend on the scheme or the width run in each of them, in a normal run in another one for each page.
      for (const [colorScheme, width] of isFull ? variants : [variants[i % variants.length] ?? assert.fail()]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (wide > 0) faults.push(`${path}: ${wide} px too wide at ${width}`)
        const rules = colorScheme === 'dark' ? rulesOf.dark : rulesOf.narrow
        faults.push(...(await violationsOf(page, rules)).map(each => `${path}, ${colorScheme}, ${width}: ${each}`))
      }
    }
    assert.deepEqual([...faults, ...strange], [])
    await context.close()
  })

  await t.test('axe finds what is planted', async () => {
    const context = await opened.signedIn()
    const page = await context.newPage()
    await page.goto(`${opened.base}/workspaces/${opened.world.ids.workspace}/sites`)
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')))
    assert.deepEqual(
      (await violationsOf(page)).map(each => each.replace(/:.*/, '')),
      ['button-name'],
    )
    await context.close()
  })

  await t.test('the policy holds back a script that got into a page', async () => {
    const context = await opened.signedIn()
    const page = await context.newPage()
    await page.goto(`${opened.base}/sites/${opened.world.ids.site}/overview`)
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.body.append(script)
      return 'ran' in window
    })
    assert.equal(ran, false)
    await context.close()
  })
})
