/** A client that disconnects during a request causes no internal error. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onAnyEngine } from '../support/engines.ts'
import { startProcess } from '../support/process.ts'

onAnyEngine('a POST that is cut off', engine => {
  test('is no error in the log, and no 500 in the metrics', async () => {
    const { url, drop } = await engine.create()
    const service = await startProcess(url, { LOG_LEVEL: 'info' })
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
    await drop()
  })
})

test('a new SQLite file and what lies beside it are their owner’s alone', async () => {
  const folder = fs.mkdtempSync('/tmp/footfall-mode-')
  const service = await startProcess(`file:${folder}/new.db`)
  const files = fs.readdirSync(folder)
  assert.ok(files.includes('new.db') && files.includes('new.db-wal'), files.join())
  const modes = files.map(file => fs.statSync(`${folder}/${file}`))
  await service.end('SIGTERM')
  for (const [i, mode] of modes.entries()) assert.equal(mode.mode & 0o777, mode.isDirectory() ? 0o700 : 0o600, files[i])
  fs.rmSync(folder, { recursive: true })
})
