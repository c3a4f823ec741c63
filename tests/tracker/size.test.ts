import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildTracker } from '../../tracker/build.ts'

const KB = 1024

test('the script without vitals stays under 3.4 KB gzipped', async () => {
  const { script } = await buildTracker()
  assert.ok(gzipSync(script).length < 3.4 * KB, `${gzipSync(script).length} bytes`)
})

test('the script for Plausible’s snippet stays under 4.1 KB gzipped', async () => {
  const { plausible } = await buildTracker()
  assert.ok(gzipSync(plausible).length < 4.1 * KB, `${gzipSync(plausible).length} bytes`)
})

test('the script of <footfall-count> stays under 2 KB', async () => {
  const script = await (await buildTracker()).count()
  assert.ok(script.length < 2 * KB, `${script.length} bytes`)
})

test('the vitals stay under 4.5 KB gzipped, and keep the notice of the work they contain', async () => {
  const { vitals } = await buildTracker()
  assert.ok(gzipSync(vitals).length < 4.5 * KB, `${gzipSync(vitals).length} bytes`)
  assert.match(vitals, /web-vitals.*Google LLC.*Apache-2\.0/)
})

test('the scripts know no cookie and leave no global behind but their own', async () => {
  const { script, vitals, plausible } = await buildTracker()
  for (const source of [script, vitals, plausible]) {
    assert.doesNotMatch(source, /cookie|sessionStorage|indexedDB|sendBeacon/)
    assert.match(source, /^(\/\*!.*?\*\/\s*)?"use strict";\(\(\)=>\{/)
  }
})
