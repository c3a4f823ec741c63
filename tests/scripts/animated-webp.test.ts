/** The moving pictures of the README, as Chromium reads them. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from '../../tools/playwright.mjs'
import { animated } from '../../scripts/screens/animated-webp.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'

describe('an animated WebP', { skip: withoutChromium }, () => {
  let browser: Browser
  let page: Page
  const server = http.createServer((_, response) => void response.setHeader('Content-Type', 'text/html').end())
  before(async () => {
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
    browser = await launchChromium()
    page = await (await browser.newContext()).newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) // only pages of a host have a decoder
  })
  after(async () => {
    await browser?.close()
    server.close()
  })

  const readBy = (file: Buffer) =>
    page.evaluate(async base64 => {
      const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
      const decoder = new ImageDecoder({ data, type: 'image/webp' })
      await Promise.all([decoder.completed, decoder.tracks.ready])
      const { frameCount = 0, repetitionCount } = decoder.tracks.selectedTrack ?? {}
      const frames = []
      for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
        const { image } = await decoder.decode({ frameIndex })
        frames.push([image.displayWidth, image.displayHeight, (image.duration ?? 0) / 1_000])
      }
      return { frames, isEndless: repetitionCount === Infinity }
    }, file.toString('base64'))

  test('has all pictures, each as long as was said, again and again', async () => {
    const picture = fs.readFileSync('docs/screens/funnel.webp')
    const made = animated([picture, picture], { width: 1280, height: 820, shownMs: 2_200 })
    assert.deepEqual(await readBy(made), { frames: Array(2).fill([1280, 820, 2_200]), isEndless: true })
    assert.throws(() => animated([Buffer.from('no picture')], { width: 1, height: 1, shownMs: 1 }), /not a WebP picture/)
  })

  test('of the README has several pictures, light and dark, and is smaller than 1.5 MB', async () => {
    for (const name of ['tour', 'tour-dark']) {
      const file = fs.readFileSync(`docs/screens/${name}.webp`)
      assert.ok((await readBy(file)).frames.length > 3, name)
      assert.ok(file.length < 1_500_000, String(file.length))
    }
  })
})
