/** A reader that is slower than the other side, which ends in the meantime. */
import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { guardedDownload, OutboundError } from '../../../runtime/outbound/outbound.ts'

for (const ends of ['end', 'destroy', 'resetAndDestroy'] as const) {
  for (const length of [300_000, 400_000]) {
    test(`guardedDownload returns the whole body or throws OutboundError when the server calls socket.${ends}() after 300,000 of ${length} bytes`, async t => {
      const server = net.createServer(socket => {
        socket.on('error', () => {})
        socket.once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`)
          socket.write(Buffer.alloc(300_000), () => socket[ends]())
        })
      })
      await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
      t.after(() => server.close())
      const { port } = server.address() as AddressInfo
      let size = 0
      const request = { allow: ['127.0.0.0/8'], timeoutMs: 5_000, idleMs: 2_000, connectMs: 1_000, redirects: 0 }
      const outcome = await guardedDownload(`http://127.0.0.1:${port}/`, request, async ({ pieces }) => {
        for await (const piece of pieces) {
          size += piece.length
          await setTimeout(20)
        }
      }).catch((thrown: unknown) => thrown)
      if (outcome === undefined) assert.equal(size, length)
      else assert.ok(outcome instanceof OutboundError, String(outcome))
      await setTimeout(50)
    })
  }
}
