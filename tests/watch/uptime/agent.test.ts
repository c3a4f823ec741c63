/** `npm run probe` against a service with a socket: fetches checks, probes, submits, and retries or gives up. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test } from 'node:test'
import { serve } from '@hono/node-server'
import { onAnyEngine } from '../../support/engines.ts'
import { addCheck, addProbeToken } from '../../support/uptime.ts'
import { until } from '../../runtime/tasks/tasks.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { startTargets, type Targets } from './targets.ts'

let targets: Targets
before(async () => {
  targets = await startTargets()
})
after(() => targets.close())

onAnyEngine('an agent', engine => {
  let service: TestService
  let world: World
  let address: string
  /** Status that the service answers with instead, while set. */
  let fault: number | undefined
  let server: ReturnType<typeof serve>
  before(async () => {
    service = await startService(engine)
    Object.defineProperty(service.clock, 'now', { get: Date.now })
    world = await makeSite(service)
    address = await new Promise(resolve => {
      server = serve(
        { fetch: asked => (fault ? new Response('', { status: fault }) : service.web.fetch(asked)), port: 0, hostname: '127.0.0.1' },
        ({ port }) => resolve(`http://127.0.0.1:${port}`),
      )
    })
  })
  after(async () => {
    server.close()
    await service.close()
  })

  function start(...args: string[]) {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'probe', ...args], {
      env: { ...process.env, OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += String(chunk)
      })
    const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
    return { child, ended, output: () => output }
  }
  const read = async ({ id }: { id: string }) => (await request(service, 'GET', `/uptime/checks/${id}`, { token: world.token })).body.data

  test('the agent probes its checks, submits results, keeps them while the service is unreachable, and ends on a signal', async () => {
    const { token } = await addProbeToken(service.store.write, Date.now(), world.ids.workspace ?? '', 'nyc1')
    const [good, bad, odd] = await Promise.all(
      ['/', '/status/500', '/status/999']
        .map(path => `${targets.http}${path}`)
        .map(url => addCheck(service.store.write, Date.now(), { workspace_id: world.ids.workspace ?? '', url, interval_seconds: 2 })),
    )
    assert.ok(good && bad && odd)
    const agent = start('--server', `${address}/`, '--token', token, '--location', 'nyc1')
    await until(async () => (await read(good)).status === 'up')
    const { response_times, last_response_ms } = await read(good)
    assert.deepEqual(Object.keys(response_times.series), ['nyc1'])
    assert.ok(last_response_ms >= 0)
    for (const [{ number }, wanted] of [
      [bad, /^\{"status_500":\d+\}$/],
      [odd, /^\{"status_999":\d+\}$/],
    ] as const) {
      const { ok, errors } = await service.store.read
        .selectFrom('uptime_locations')
        .selectAll()
        .where('check_number', '=', number)
        .executeTakeFirstOrThrow()
      assert.equal(ok, 0)
      assert.match(errors, wanted)
    }
    assert.ok(
      targets.requests.some(({ headers }) => headers['user-agent'] === 'Footfall-Uptime/1.0 (+http://footfall.test/uptime/probes.json)'),
    )

    fault = 503
    const before = (await read(bad)).last_checked_at
    await until(async () => targets.requests.filter(({ url }) => url === '/status/500').length > 1)
    await new Promise(resolve => setTimeout(resolve, 300))
    fault = undefined
    await until(async () => (await read(bad)).last_checked_at > before)
    agent.child.kill('SIGTERM')
    assert.equal(await agent.ended, 0, agent.output())
    assert.doesNotMatch(agent.output(), /prb_/)
  })

  test('says in one line what is wrong with how it was started, and ends', async () => {
    const { token } = await addProbeToken(service.store.write, Date.now(), world.ids.workspace ?? '', 'sin1')
    const wrong: [says: RegExp, args: string[]][] = [
      [/this token belongs to the location sin1, not to fra1/, ['--server', address, '--token', token, '--location', 'fra1']],
      [/--token must be a probe token/, ['--server', address, '--token', 'pat_x', '--location', 'fra1']],
      [/--server must be an http/, ['--server', 'footfall', '--token', token, '--location', 'sin1']],
    ]
    for (const [says, args] of wrong) {
      const agent = start(...args)
      assert.equal(await agent.ended, 1)
      assert.match(agent.output(), says)
      assert.ok(agent.output().trim().split('\n').length <= 2, agent.output())
    }
  })

  test('ends when its token is revoked', async () => {
    const { id, token } = await addProbeToken(service.store.write, Date.now(), world.ids.workspace ?? '', 'ams1')
    await addCheck(service.store.write, Date.now(), {
      workspace_id: world.ids.workspace ?? '',
      url: `${targets.http}/revoked`,
      interval_seconds: 30,
    })
    await service.store.write.updateTable('probe_tokens').set({ revoked_at: Date.now() }).where('id', '=', id).execute()
    const agent = start('--server', address, '--token', token, '--location', 'ams1')
    assert.equal(await agent.ended, 1)
    assert.match(agent.output(), /401/)
  })
})
