import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildTracker } from '../../tracker/build.ts'

const KB = 1024

/** @throws AssertionError that says by how much it is too large */
function assertBelow(bytes: number, kilobytes: number): void {
  const over = Math.ceil(bytes - kilobytes * KB) + 1
  assert.ok(over <= 0, `${bytes} bytes: shorten tracker/src by ${over}, or raise the limit here and say why in the commit`)
}

test('the script without vitals stays under 3.4 KB gzipped', async () => {
  const { script } = await buildTracker()
  assertBelow(gzipSync(script).length, 3.4)
})

test('the script for Plausible’s snippet stays under 4.1 KB gzipped', async () => {
  const { plausible } = await buildTracker()
  assertBelow(gzipSync(plausible).length, 4.1)
})

test('the script of <footfall-count> stays under 2 KB', async () => {
  const script = await (await buildTracker()).count()
  assertBelow(script.length, 2)
})

test('the vitals stay under 4.5 KB gzipped, and keep the notice of the work they contain', async () => {
  const { vitals } = await buildTracker()
  assertBelow(gzipSync(vitals).length, 4.5)
  assert.match(vitals, /web-vitals.*Google LLC.*Apache-2\.0/)
})

test('the scripts know no cookie and leave no global behind but their own', async () => {
  const { script, vitals, plausible } = await buildTracker()
  for (const source of [script, vitals, plausible]) {
    assert.doesNotMatch(source, /cookie|sessionStorage|indexedDB|sendBeacon/)
    assert.match(source, /^(\/\*!.*?\*\/\s*)?"use strict";\(\(\)=>\{/)
  }
})
