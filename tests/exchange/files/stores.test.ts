/** The same files in a folder and in a bucket. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bytesBetween, FileReplaced, type Files } from '../../../operations/exchange/files/file-store.ts'
import { openFolder } from '../../../operations/exchange/files/folder.ts'
import { locationIn } from '../../../operations/exchange/files/location.ts'
import { openObjects } from '../../../operations/exchange/files/objects.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { type BucketServer, keys, startBuckets } from '../warehouse/buckets.ts'
import { randomBytes } from '../../support/chance.ts'
import { fastFolder } from '../../support/files.ts'

const MB = 1024 * 1024
const folder = fs.mkdtempSync(path.join(fastFolder(), 'footfall-stores-'))
let buckets: BucketServer
/** Of several parts of an upload; making it takes as long as writing it. */
let large: Buffer
before(async () => {
  large = randomBytes(17 * MB)
  buckets = await startBuckets()
})
after(async () => {
  await buckets.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const inBucket = (secret: string = keys.secret_access_key, bucket = 'lake', region = 'eu-central-1'): Files => {
  const location = locationIn(`s3://${keys.access_key_id}:${secret}@${bucket}/some/where?region=${region}&endpoint=${buckets.endpoint}`)
  assert.ok(location && 'address' in location)
  return openObjects(location, Date.now)
}
const stores: Readonly<Record<string, () => Files>> = { 'a folder': () => openFolder(folder), 'a bucket': () => inBucket() }

async function* pieces(bytes: Buffer, size = 300_000): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}
async function* cutOff(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes)
  throw new Error('the sender is gone')
}

for (const [kind, opened] of Object.entries(stores)) {
  describe(`files in ${kind}`, () => {
    let files: Files
    before(() => {
      files = opened()
    })
    const contentOf = async (name: string) => {
      const file = await files.open(name)
      assert.ok(file, name)
      const content = await bytesBetween(file, 0, file.size)
      await file.close()
      return content
    }
    const holds = async (name: string, expected: Buffer) => {
      assert.equal(await files.sizeOf(name), expected.length)
      assert.ok((await contentOf(name)).equals(expected))
    }

    test('are read whole and by ranges', async () => {
      assert.equal(await files.write('imp_whole', { from: 0, bytes: pieces(large), max: Infinity }), true)
      await holds('imp_whole', large)
      const file = await files.open('imp_whole')
      assert.ok(file)
      for (const [from, to] of [
        [0, 4],
        [8 * MB - 3, 8 * MB + 3],
        [5, 16 * MB + 3],
        [17 * MB - 1, 17 * MB],
        [7, 7],
      ] as const)
        assert.ok((await bytesBetween(file, from, to)).equals(large.subarray(from, to)), `${from} ${to}`)
      await file.close()
    })

    test('reading a missing file fails with an error that names it', async () => {
      assert.equal(await files.sizeOf('imp_none'), undefined)
      assert.equal(await files.open('imp_none'), undefined)
      await files.remove('imp_none')
      for (const name of ['../imp_x', 'imp_x/../y', '', 'x', 'imp_x.part'])
        await assert.rejects(async () => files.sizeOf(name), /is not a file name/, name)
    })

    test('go on from any position, which cuts what stood behind it', async () => {
      const content = large
      await assert.rejects(
        files.write('imp_pieces', { from: 0, bytes: cutOff(content.subarray(0, 9 * MB + 7)), max: Infinity }),
        /sender is gone/,
      )
      await holds('imp_pieces', content.subarray(0, 9 * MB + 7))
      await files.write('imp_pieces', { from: 9 * MB, bytes: pieces(content.subarray(9 * MB, 16 * MB)), max: Infinity })
      await holds('imp_pieces', content.subarray(0, 16 * MB))
      await files.write('imp_pieces', { from: 16 * MB, bytes: pieces(content.subarray(16 * MB)), max: Infinity })
      await holds('imp_pieces', content)
      await files.write('imp_pieces', { from: 3, bytes: pieces(Buffer.from('abc')), max: Infinity })
      await holds('imp_pieces', Buffer.concat([content.subarray(0, 3), Buffer.from('abc')]))
      for (let at = 0; at < 12; at++)
        await files.write('imp_small', { from: at, bytes: pieces(content.subarray(at, at + 1)), max: Infinity })
      await holds('imp_small', content.subarray(0, 12))
      await files.write('imp_small', { from: 0, bytes: pieces(Buffer.alloc(0)), max: Infinity })
      await holds('imp_small', Buffer.alloc(0))
    })

    test('have no more than they may', async () => {
      assert.equal(await files.write('imp_most', { from: 0, bytes: pieces(Buffer.alloc(10), 4), max: 9 }), false)
      assert.equal(await files.sizeOf('imp_most'), 8)
      assert.equal(await files.write('imp_most', { from: 8, bytes: pieces(Buffer.alloc(1)), max: 9 }), true)
    })

    test('a created file is visible only with its last byte, also with concurrent writers', async () => {
      const [one, other] = [large.subarray(0, 9 * MB), randomBytes(5)]
      const first = await files.create('exp_made')
      for await (const piece of pieces(one)) await first.write(piece)
      assert.equal(await files.open('exp_made'), undefined)
      await first.close()
      await holds('exp_made', one)
      const second = await files.create('exp_made')
      await second.write(other)
      await holds('exp_made', one)
      await second.close()
      await holds('exp_made', other)
      const third = await files.create('exp_made')
      await third.write(one)
      await third.discard()
      await holds('exp_made', other)
      const empty = await files.create('exp_empty')
      await empty.close()
      await holds('exp_empty', Buffer.alloc(0))
    })

    test('files have names, and deleting one removes everything that belongs to it', async () => {
      const began = await files.create('exp_began')
      await began.write(Buffer.alloc(10))
      await files.write('imp_whole_2', { from: 0, bytes: pieces(Buffer.alloc(3)), max: 10 })
      const uploads = ['imp_most', 'imp_pieces', 'imp_small', 'imp_whole', 'imp_whole_2']
      assert.deepEqual((await files.names('imp_')).sort(), uploads)
      assert.deepEqual((await files.names('exp_')).filter(name => name !== 'exp_began').sort(), ['exp_empty', 'exp_made'])
      await files.remove('imp_whole')
      assert.deepEqual((await files.names('imp_whole')).sort(), ['imp_whole_2'], 'not those whose name begins alike')
      await began.discard()
      for (const name of [...uploads, 'exp_made', 'exp_empty', 'exp_began']) await files.remove(name)
      assert.deepEqual([await files.names('imp_'), await files.names('exp_')], [[], []])
    })
  })
}

test('of two runs that begin a file at the same time, the first to finish leaves nothing of the other, even if that was killed', async () => {
  const files = openFolder(folder)
  const own = () => fs.readdirSync(folder).filter(name => name.startsWith('exp_both'))
  const one = await files.create('exp_both')
  const [part = ''] = own()
  fs.renameSync(path.join(folder, part), path.join(folder, 'aside')) // the other run lists the folder before this file is in it
  const other = await files.create('exp_both')
  fs.renameSync(path.join(folder, 'aside'), path.join(folder, part))
  assert.equal(own().length, 2)
  await other.write(Buffer.from('other'))
  await other.close()
  assert.deepEqual(own(), ['exp_both'])
  await assert.rejects(() => one.close(), FileReplaced)
  assert.equal(String(fs.readFileSync(path.join(folder, 'exp_both'))), 'other')
  await files.remove('exp_both')
})

test('an error of a bucket is reported only by its name, without the rest of its answer', async () => {
  for (const files of [inBucket('wrong'), inBucket(keys.secret_access_key, 'elsewhere')]) {
    await assert.rejects(
      () => files.sizeOf('imp_x'),
      error => error instanceof StorageUnavailable && error.reason === 'busy' && /SignatureDoesNotMatch|NoSuchBucket/.test(error.message),
    )
    await assert.rejects(() => files.write('imp_x', { from: 0, bytes: pieces(Buffer.alloc(3)), max: 10 }), StorageUnavailable)
  }
  await assert.rejects(() => inBucket('wrong').create('exp_x'), StorageUnavailable)
})

test('parts of a run that was interrupted go when the next one begins, and with the file', async () => {
  const files = inBucket()
  for (let run = 0; run < 3; run++) {
    const file = await files.create('exp_again')
    await file.write(Buffer.alloc(9 * MB))
    assert.deepEqual([...buckets.uploads.values()], ['some/where/exp_again'])
  }
  await files.remove('exp_again')
  assert.equal(buckets.uploads.size, 0)
})

test('a bucket that fails for a moment is asked again', async () => {
  const files = inBucket()
  buckets.fail(2, 503)
  await files.write('imp_again', { from: 0, bytes: pieces(Buffer.from('here')), max: 10 })
  buckets.fail(1, 0)
  assert.equal(await files.sizeOf('imp_again'), 4)
  await files.remove('imp_again')
})

test('a location is a folder, or a bucket with its keys', () => {
  assert.deepEqual(locationIn('file:data/files'), { folder: 'data/files' })
  assert.deepEqual(locationIn('s3://AK:a%2Fb%2Bc@lake'), {
    address: { endpoint: null, region: 'us-east-1', bucket: 'lake' },
    keys: { accessKeyId: 'AK', secretAccessKey: 'a/b+c' },
    prefix: '',
  })
  for (const text of [
    'file:',
    'data/files',
    's3://lake',
    's3://AK@lake',
    's3://AK:a/b@lake',
    's3://AK:s@lake:9000',
    's3://AK:s@la_ke',
    's3://AK:s@lake?zone=x',
    's3://AK:s@lake?endpoint=ftp://x',
    's3://AK:s@lake?endpoint=https://user@x',
    's3://AK:%@lake',
  ])
    assert.equal(locationIn(text), undefined, text)
})
