/** Two processes share a Postgres: who is refused by one gains nothing by asking the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { startProcess } from '../../support/process.ts'

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  test('tries to sign in are counted by all processes together', async t => {
    const { url, drop } = await engine.create()
    t.after(drop)
    const limits = {
      SIGN_IN_TRIES: '4',
      SIGN_IN_TRIES_ACCOUNT: '6',
      SIGN_IN_TRIES_ADDRESS: '10',
      RATE_FAILURES: '0',
      RATE_FAILURES_ADDRESS: '0',
    }
    const services = [await startProcess(url, limits), await startProcess(url, limits)]
    t.after(() => Promise.all(services.map(({ end }) => end('SIGKILL'))))
    let turn = 0
    /** By each process in turn. */
    async function tried(email: string, ip: string): Promise<number> {
      const { address } = services[turn++ % services.length] ?? assert.fail('there is no service')
      const { status, headers } = await fetch(`${address}/session.json`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': ip },
        body: JSON.stringify({ email, password: 'not the password' }),
      })
      if (status === 429) assert.ok(Number(headers.get('retry-after')) > 0)
      return status
    }
    const several = async (count: number, email: (i: number) => string, ip: (i: number) => string): Promise<number[]> => {
      const seen: number[] = []
      for (let i = 0; i < count; i++) seen.push(await tried(email(i), ip(i)))
      return seen
    }
    const [wrong, wait] = [401, 429]
    const one = await several(
      6,
      () => 'ada@example.com',
      () => '81.2.69.1',
    )
    assert.deepEqual(one, [wrong, wrong, wrong, wrong, wait, wait], 'one account from one address')
    const anywhere = await several(
      6,
      () => 'bob@example.com',
      i => `81.2.70.${i}`,
    )
    assert.deepEqual(anywhere.slice(0, 6), Array(6).fill(wrong))
    assert.deepEqual(
      [await tried('bob@example.com', '81.2.70.99'), await tried('bob@example.com', '81.2.70.98')],
      [wait, wait],
      'one account',
    )
    const many = await several(
      12,
      i => `person-${i}@example.com`,
      () => '81.2.71.1',
    )
    assert.deepEqual(many, [...Array(10).fill(wrong), wait, wait], 'one address')
    const atOnce = await Promise.all(Array.from({ length: 12 }, () => tried('carol@example.com', '81.2.72.1')))
    assert.equal(atOnce.filter(status => status === wrong).length, 4, 'many at once gain nothing')
  })
}
