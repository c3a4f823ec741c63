/** A client that disconnects during a request causes no internal error. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startProcess } from '../support/process.ts'

describe('a service', () => {
  let folder: string
  let service: ServiceProcess
  before(async () => {
    folder = fs.mkdtempSync('/tmp/footfall-mode-')
    service = await startProcess(`file:${folder}/new.db`, { LOG_LEVEL: 'info' })
  })
  after(async () => {
    await service.end('SIGTERM')
    fs.rmSync(folder, { recursive: true })
  })

  test('makes a new SQLite file, and what lies beside it, for its owner alone', () => {
    const files = fs.readdirSync(folder)
    assert.ok(files.includes('new.db') && files.includes('new.db-wal'), files.join())
    for (const file of files) {
      const found = fs.statSync(`${folder}/${file}`)
      assert.equal(found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600, file)
    }
  })

  test('counts a POST that is cut off as no 500 in the metrics, and as no error in the log', async () => {
    const { port } = new URL(service.address)
    for (const path of ['/api/event', '/mcp', '/api/send']) {
      for (const start of ['Content-Length: 100\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n']) {
        for (const end of ['destroy', 'resetAndDestroy'] as const) {
          const socket = net.connect(Number(port), '127.0.0.1')
          await once(socket, 'connect')
          socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\r\n${start}`)
          await sleep(50)
          socket[end]()
        }
      }
    }
    await sleep(300)
    const figures = await (await fetch(`${service.address}/metrics`)).text()
    const counted = figures.split('\n').filter(line => line.startsWith('footfall_requests_total') && line.includes('/api/'))
    assert.ok(counted.length > 0, figures)
    assert.deepEqual(
      counted.filter(line => /status="5/.test(line)),
      [],
    )
    await service.end('SIGTERM')
    assert.doesNotMatch(service.output(), /"level":50/)
  })
})
