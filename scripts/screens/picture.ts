import type { Page } from '../../tools/playwright.mjs'

/** Opens a page and takes its picture, as WebP. @param quality 0 to 100 */
export async function pictureOf(page: Page, address: string, quality: number): Promise<Buffer> {
  // The font is optional: the first page of a browser may be drawn without it.
  await page.goto(address)
  await page.evaluate(() => document.fonts.ready)
  await page.reload({ waitUntil: 'networkidle' })
  const devtools = await page.context().newCDPSession(page)
  // Without a scale, the picture has one pixel for each point, whatever the ratio of the context.
  const clip = await page.evaluate(() => ({ x: 0, y: 0, width: innerWidth, height: innerHeight, scale: devicePixelRatio }))
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality, clip })
  return Buffer.from(data, 'base64')
}
