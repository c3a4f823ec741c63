/** Answers of receivers that are unusual, and still answers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { attempt } from '../../../operations/exchange/webhooks/attempt.ts'
import { type Answering, type Receiver, startReceiver, status, unhurried } from './receiver.ts'

let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
})
after(() => receiver.close())

const deliver = () =>
  attempt({
    url: receiver.url,
    secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
    signed: { id: 'evt_1', at: 0, body: '{"ü":1}' },
    config: { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'] },
    more: unhurried,
  })

const interim: Answering = (response, received) => {
  response.writeContinue()
  response.writeProcessing()
  response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
  response.writeHead(202).end(received.body)
}
const packed: Answering = response => {
  response.writeHead(400, { 'Content-Encoding': 'gzip' }).end(gzipSync('no such hook'))
}
const rows: readonly [says: string, answer: Answering, seen: [outcome: string, status: number | null, body: string | null]][] = [
  ['100, 102 and 103 before it, unasked', interim, ['succeeded', 202, '{"ü":1}']],
  ['a body that is compressed unasked', packed, ['failed', 400, 'no such hook']],
  ['a body that is not compressed as it says', status(200, { 'Content-Encoding': 'gzip' }, 'fine'), ['succeeded', 200, 'fine']],
]
for (const [says, answer, seen] of rows) {
  test(`the answer to a delivery counts with ${says}`, async () => {
    receiver.answer = answer
    const { outcome, statusCode, responseBody } = await deliver()
    assert.deepEqual([outcome, statusCode, responseBody], seen)
  })
}
