/** The moving pictures of the README are animated WebP files that are small enough for its page. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { animated } from '../../scripts/screens/animated-webp.ts'

/** Names and sizes of the chunks of a RIFF file. */
function chunksOf(file: Buffer): [name: string, size: number][] {
  assert.equal(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 12), 'RIFFWEBP')
  assert.equal(file.readUInt32LE(4) + 8, file.length)
  const chunks: [string, number][] = []
  for (let at = 12; at < file.length; ) {
    const size = file.readUInt32LE(at + 4)
    chunks.push([file.toString('latin1', at, at + 4), size])
    at += 8 + size + (size % 2)
  }
  return chunks
}

test('both have several pictures of one size, and are smaller than 1.5 MB', () => {
  for (const name of ['tour', 'tour-dark']) {
    const file = fs.readFileSync(`docs/screens/${name}.webp`)
    const [first, second, ...frames] = chunksOf(file).map(([chunk]) => chunk)
    assert.deepEqual([first, second, new Set(frames)], ['VP8X', 'ANIM', new Set(['ANMF'])])
    assert.ok(frames.length > 3, name)
    assert.ok(file.length < 1_500_000, String(file.length))
  }
})

test('a picture stays as it is, and is shown as long as was said', () => {
  const picture = fs.readFileSync('docs/screens/funnel.webp')
  const made = animated([picture, picture], { width: 1280, height: 820, shownMs: 2_200 })
  const data = picture.subarray(picture.indexOf('VP8 '))
  assert.equal(made.indexOf(data.subarray(0, 1_000), 0) > 0, true)
  assert.deepEqual([made.readUIntLE(24, 3) + 1, made.readUIntLE(27, 3) + 1], [1280, 820])
  const frame = made.indexOf('ANMF') + 8
  assert.equal(made.readUIntLE(frame + 12, 3), 2_200)
  assert.throws(() => animated([Buffer.from('no picture')], { width: 1, height: 1, shownMs: 1 }), /no WebP/)
})
