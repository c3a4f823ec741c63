/** A worker is killed with -9 during a task: another worker takes it over, once the lease ends. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { onSharedEngine } from '../support/engines.ts'
import { programOf } from '../support/process.ts'
import { later, until } from '../runtime/tasks/tasks.ts'

/** The lease in tests/runtime/tasks/worker.ts. */
const lease = 3_000
/** The interval of checks is 2 seconds, plus a random delay. */
const look = 2_200

async function startWorker(database: string): Promise<{ child: ChildProcess; began: number[] }> {
  const child = spawn(process.execPath, [...programOf('tests/runtime/tasks/worker.ts')], {
    env: { ...process.env, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const began: number[] = []
  let ready = false
  createInterface({ input: child.stdout }).on('line', line => {
    if (line === 'ready') ready = true
    else began.push(Number(line.replace('began ', '')))
  })
  await until(() => ready)
  return { child, began }
}

onSharedEngine('a killed worker', engine => {
  test('loses its task when its lease ends, not while it lives', async () => {
    const { store, url, drop } = await engine.create()
    const first = await startWorker(url)
    await until(() => first.began.length === 1)
    const others = await Promise.all([startWorker(url), startWorker(url)])
    const began = () => others.flatMap(other => other.began)

    await later(lease + look)
    assert.deepEqual([first.began.length, began()], [1, []], 'it lives, and longer than a lease')
    const { done } = await store.read.selectFrom('tasks').select('done').where('name', '=', 'mountain_move').executeTakeFirstOrThrow()
    assert.ok(done > 10, `${done} stones`)

    first.child.kill('SIGKILL')
    await new Promise(resolve => first.child.once('exit', resolve))
    const { leased_until } = await store.read
      .selectFrom('tasks')
      .select('leased_until')
      .where('name', '=', 'mountain_move')
      .executeTakeFirstOrThrow()
    await until(() => began().length > 0)
    const [at = 0] = began()
    assert.ok(leased_until !== null && at >= leased_until, `${at} is before ${leased_until}`)
    await later(lease)
    assert.equal(began().length, 1, 'one of the two')
    for (const { child } of others) child.kill('SIGKILL')
    await drop()
  })
})
