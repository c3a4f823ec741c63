/** A file is sent from the page of its import: chosen in the form, in pieces, and again after the page was closed. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from '../../../tools/playwright.mjs'
import { withoutChromium } from '../../support/chromium.ts'
import { fastFolder } from '../../support/files.ts'
import { type Opened, openBrowser } from './browser.ts'

const megabyte = 1_048_576
const half = megabyte / 2
const row = (i: number) => `2024-03-0${1 + (i % 9)}T10:00:00Z,/old/${i},v${i},${'x'.repeat(1_000)}`
/** Of three pieces that become larger, and a rest. */
const textOf = (visitor: string) =>
  ['timestamp,page,visitor,title', `never,/bad,${visitor},x`, ...Array.from({ length: 3_700 }, (_, i) => row(i))].join('\n')
const size = textOf('v1').length

test('uploads in Chromium', { skip: withoutChromium }, async t => {
  let opened: Opened
  const folder = fs.mkdtempSync(path.join(fastFolder(), 'footfall-upload-'))
  // The browser reads files itself: what a test hands over goes through its protocol.
  const fileOf = (name: string, text: string) => {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
    return file
  }
  const file = fileOf('one/old.csv', textOf('v1'))
  const [other, misnamed] = [fileOf('two/old.csv', textOf('v2')), fileOf('two/old.txt', textOf('v2'))]
  before(async () => {
    opened = await openBrowser()
  })
  after(async () => {
    await opened.close()
    fs.rmSync(folder, { recursive: true })
  })

  const visit = async (scripts: boolean, go: (page: Page, imports: string, ranges: string[]) => Promise<void>) => {
    const context = await opened.signedIn({ javaScriptEnabled: scripts })
    const page = await context.newPage()
    const ranges: string[] = []
    page.on('request', request => {
      const range = request.headers()['content-range']
      if (request.method() === 'PUT' && range !== undefined) ranges.push(range.replace(/^bytes /, ''))
    })
    await go(page, `${opened.base}/sites/${opened.world.ids.site}/imports`, ranges)
    await context.close()
  }
  const range = (from: number, to: number) => `${from}-${to - 1}/${size}`
  const pieces = [0, 1, 3, 7, size / half]
    .map(n => n * half)
    .map((from, i, all) => range(from, all[i + 1] ?? 0))
    .slice(0, -1)

  await t.test('the file that the form was given is sent, and the import is started', () =>
    visit(true, async (page, imports, ranges) => {
      await page.goto(`${imports}?do=imports_create`)
      const columns = page.getByLabel('Columns with other names', { exact: false })
      await page.getByText('Footfall · CSV').click()
      await columns.waitFor({ state: 'attached' }) // the fields of this source are there
      await page.getByText('Another address, time zone, days').click()
      await page.getByLabel('File', { exact: true }).setInputFiles(file)
      await columns.fill('url = page\nnothing')
      await page.getByLabel('Only check the file').check()
      await page.getByRole('button', { name: 'Import history' }).click()
      await page.locator('.fault').first().waitFor()
      // The chosen options stay chosen next to the fault.
      await columns.fill('url = page')
      await page.getByRole('button', { name: 'Import history' }).click()
      await page.getByText(/^pending|^running|^completed/).waitFor()
      assert.deepEqual(ranges, pieces)
      assert.match(page.url(), /\/imports\/imp_\w+\?done=imports_start&result=[\w-]+$/)
    }),
  )

  await t.test('after a break the same file goes on where it stopped', () =>
    visit(true, async (page, imports, ranges) => {
      await page.goto(`${imports}?do=imports_create&source=footfall&filename=old.csv&map=url%20%3D%20page`)
      await page.getByRole('button', { name: 'Import history' }).click()
      await page.getByLabel('old.csv, from this computer').waitFor()
      const address = page.url()
      let sent = 0
      await page.route('**/file?*', route => (++sent === 2 ? page.close() : route.continue()))
      await page.getByLabel('old.csv, from this computer').setInputFiles(other)
      await page.waitForEvent('close')
      const next = await opened.signedIn()
      const again = await next.newPage()
      again.on('request', request => {
        if (request.method() === 'PUT') ranges.push(`again ${request.headers()['content-range']?.replace(/^bytes /, '')}`)
      })
      await again.goto(address)
      await again.getByText(/are here already/).waitFor()
      await again.getByLabel('old.csv, from this computer').setInputFiles(misnamed)
      await again.getByText('waits for old.csv').waitFor()
      await again.getByLabel('old.csv, from this computer').setInputFiles(other)
      await again.getByText(/^pending|^running|^completed/).waitFor()
      // The received part of the broken piece is kept, too.
      const [first = ''] = ranges.filter(each => each.startsWith('again '))
      assert.ok(Number(/^again (\d+)-/.exec(first)?.[1]) >= half, first)
      await next.close()
    }),
  )

  const toImport = async (page: Page, imports: string) => {
    await page.goto(`${imports}?do=imports_create&source=footfall&filename=old.csv&map=url%20%3D%20page`)
    await page.getByRole('button', { name: 'Import history' }).click()
    await page.getByLabel('old.csv, from this computer').waitFor()
  }
  /** As a proxy in front, which answers with a page of its own. */
  const refuseAbove = (page: Page, max: number) =>
    page.route('**/file?*', async route => {
      const [, from = '0', to = '0'] = /(\d+)-(\d+)/.exec(route.request().headers()['content-range'] ?? '') ?? []
      if (Number(to) - Number(from) + 1 <= max) return route.continue()
      await route.fulfill({ status: 413, contentType: 'text/html', body: '<html><h1>413 Request Entity Too Large</h1></html>' })
    })

  await t.test('behind a proxy that takes 1 MB the pieces become no larger than that', () =>
    visit(true, async (page, imports, ranges) => {
      const small = fileOf('small/old.csv', textOf('v1').slice(0, 7 * half))
      await refuseAbove(page, megabyte)
      await toImport(page, imports)
      await page.getByLabel('old.csv, from this computer').setInputFiles(small)
      await page.getByText(/^pending|^running|^completed/).waitFor()
      const sizes = ranges.map(each => each.split(/[-/]/).map(Number)).map(([from = 0, to = 0]) => (to - from + 1) / half)
      assert.deepEqual(sizes, [1, 2, 4, 2, 2])
    }),
  )

  await t.test('a proxy that refuses the smallest piece is named, with what its operator has to do', () =>
    visit(true, async (page, imports, ranges) => {
      await refuseAbove(page, 0)
      await toImport(page, imports)
      await page.getByLabel('old.csv, from this computer').setInputFiles(other)
      await page.getByText('refuses even small pieces of the file (413)').waitFor()
      assert.equal(ranges.length, 6)
    }),
  )

  await t.test('without scripts the page says how it is sent from a terminal', () =>
    visit(false, async (page, imports) => {
      await page.goto(`${imports}?do=imports_create`)
      await page.getByLabel('Plausible').check()
      await page.getByLabel('Filename').fill("it's.zip")
      await page.getByRole('button', { name: 'Import history' }).click()
      await page.getByText('From a terminal instead').click()
      const command = await page.locator('pre').textContent()
      assert.match(
        command ?? '',
        /^curl -T 'it'\\''s\.zip' 'http:\/\/127\.0\.0\.1:\d+\/imports\/imp_\w+\/file\?expires=\d+&signature=[\w-]+'$/,
      )
      await page.getByRole('button', { name: 'Start' }).click()
      await page.locator('.faults').waitFor()
    }),
  )

  await t.test('without scripts a form sends the file, and the page starts the import', () =>
    visit(false, async (page, imports) => {
      await page.goto(`${imports}?do=imports_create&source=footfall&filename=old.csv&map=url%20%3D%20page`)
      await page.getByRole('button', { name: 'Import history' }).click()
      const chooser = page.getByLabel('old.csv, from this computer').last()
      await chooser.setInputFiles(misnamed)
      await page.getByRole('button', { name: 'Upload the file' }).click()
      await page.getByText('This import waits for old.csv, or a file with the same ending.').waitFor()
      await page.goBack()
      await chooser.setInputFiles(fileOf('three/old.csv', textOf('v3')))
      await page.getByRole('button', { name: 'Upload the file' }).click()
      await page.waitForURL(/\/imports\/imp_\w+$/)
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByText(/^pending|^running|^completed/).waitFor()
    }),
  )

  await t.test('a field takes the text of a file, which is looked at before it is sent', () =>
    visit(true, async (page, imports) => {
      await page.goto(`${imports.replace('/imports', '/crawlers')}?do=crawler_requests_create`)
      const [chooser, field] = [page.getByLabel('Lines of the log, from a file'), page.getByRole('textbox', { name: 'Lines of the log' })]
      const log = (lines: number) => ({
        name: 'access.log',
        mimeType: 'text/plain',
        buffer: Buffer.from('203.0.113.9 - - [10/Mar/2026:11:59:00 +0000] "GET /blog HTTP/1.1" 200 5120 "-" "GPTBot/1.2"\n'.repeat(lines)),
      })
      await chooser.setInputFiles({ name: 'x.gz', mimeType: 'application/gzip', buffer: Buffer.from([0x1f, 0x8b, 0, 0xff]) })
      await page.getByText('This is not a text file.').waitFor()
      await chooser.setInputFiles(log(1_001))
      await page.getByText('This file has 1,001 lines; at most 1,000 fit at once.').waitFor()
      assert.equal(await field.inputValue(), '')
      await chooser.setInputFiles({ ...log(1), buffer: Buffer.alloc(500_001, 'x') })
      await page.getByText('This file has 500,001 bytes; at most 500,000 fit.').waitFor()
      await chooser.setInputFiles(log(2))
      await page.getByText('access.log was read into the field.').waitFor()
      assert.match(await field.inputValue(), /^203\.0\.113\.9 .*GPTBot/)
      await page.getByRole('button', { name: 'Send log lines' }).click()
      await page.waitForURL(/done=crawler_requests_create/)
    }),
  )

  await t.test('without scripts the text is pasted', () =>
    visit(false, async (page, imports) => {
      await page.goto(`${imports.replace('/imports', '/crawlers')}?do=crawler_requests_create`)
      await page.getByRole('textbox', { name: 'Lines of the log' }).waitFor()
      assert.equal(await page.getByLabel('Lines of the log, from a file').isVisible(), false)
      assert.equal(await page.getByRole('textbox', { name: 'Lines of the log' }).isVisible(), true)
    }),
  )
})
