/**
 * `node --import tsx scripts/moving-picture.ts`, after `npm run build`: docs/screens/tour.webp and tour-dark.webp, which the README
 * shows: the overview of a new demo, the same with a filter, and four further reports. Each is an animated WebP of single pictures.
 */
import fs from 'node:fs'
import path from 'node:path'
import { launchChromium } from '../tests/support/chromium.ts'
import { startDemo } from './bench/demo.ts'
import { root } from './build/root.ts'
import { animated } from './screens/animated-webp.ts'
import { pictureOf } from './screens/picture.ts'

const SIZE = { width: 1000, height: 640 }
const QUALITY = 70
/** How long a picture is shown, ms. */
const SHOWN_MS = 2_200

const demo = await startDemo()
const browser = await launchChromium()
try {
  const signedIn = await browser.newContext({ viewport: SIZE })
  await demo.signIn(await signedIn.newPage())
  const site = `/sites/${demo.site_id}`
  const filters = `filters=${encodeURIComponent(JSON.stringify([['country', 'is', ['DE']]]))}`
  const stops = [
    'overview?period=90d',
    `overview?period=90d&${filters}`,
    'breakdown/page?period=90d',
    'journeys',
    'insights',
    'retention?period=90d',
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      ...{ viewport: SIZE, colorScheme, reducedMotion: 'reduce' },
      storageState: await signedIn.storageState(),
    })
    const page = await context.newPage()
    const frames: Buffer[] = []
    for (const stop of stops) frames.push(await pictureOf(page, `${demo.base}${site}/${stop}`, QUALITY))
    await context.close()
    const file = path.join(root, 'docs/screens', colorScheme === 'dark' ? 'tour-dark.webp' : 'tour.webp')
    fs.writeFileSync(file, animated(frames, { ...SIZE, shownMs: SHOWN_MS }))
    process.stdout.write(`${path.relative(root, file)}  ${Math.ceil(fs.statSync(file).size / 1_000)} kB\n`)
  }
} finally {
  await browser.close()
  await demo.stop()
}
