/** A file that a form sends is read however its bytes arrive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileIn } from '../../runtime/call/multipart.ts'

const type = 'multipart/form-data; boundary=----x'
const part = (headers: string, content: string) => `------x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`
const fileOf = (content: string, name = 'a.csv') => part(`name="file"; filename="${name}"\r\nContent-Type: text/csv`, content)

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function contentOf(text: string, size: number, as = type) {
  const { name, body } = await fileIn(inPieces(text, size), as)
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return { name, content: Buffer.concat(pieces).toString('latin1') }
}

test('the file is the same in pieces of any size, with what looks like its end inside', async () => {
  const content = 'a,b\r\n\r\n------y\r\n-----x\r\n--\r\n\0\xff\r\n'
  const form = `${part('name="map"', 'x = y')}${fileOf(content)}${part('name="after"', 'z')}------x--\r\n`
  for (const size of [1, 2, 3, 7, 11, 64, 10_000]) assert.deepEqual(await contentOf(form, size), { name: 'a.csv', content }, `${size}`)
  assert.equal((await contentOf(`${fileOf('')}------x--`, 5)).content, '')
  assert.equal((await contentOf(fileOf('q').replaceAll('----x', 'q q') + '--q q--', 5, 'multipart/form-data; boundary="q q"')).content, 'q')
})

test('a body that is not a form with a file is refused', async () => {
  const refused = (text: string, code: string, as?: string) =>
    assert.rejects(contentOf(text, 9, as), { code }, `${code}: ${text.slice(0, 40)}`)
  await refused('x', 'unsupported_media_type', 'application/json')
  await refused('x', 'unsupported_media_type', `multipart/form-data; boundary=${'x'.repeat(71)}`)
  await refused('', 'bad_request')
  await refused('x'.repeat(40_000), 'bad_request')
  await refused(`------x\r\n${'A: b\r\n'.repeat(9_000)}`, 'bad_request')
  await refused(fileOf('half').slice(0, -4), 'bad_request')
  await refused(`${part('name="a"', 'b')}------x--`, 'validation_failed')
  await refused(`${fileOf('', '')}------x--`, 'validation_failed')
  await refused(`${part('name="a"', 'b').repeat(30)}${fileOf('x')}------x--`, 'validation_failed')
})
