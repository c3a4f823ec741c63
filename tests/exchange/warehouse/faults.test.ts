/** Warehouses that refuse, hang, break or lie; what is said of it, and what is never said. */
import assert from 'node:assert/strict'
import http from 'node:http'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { afterFailure, statusOf } from '../../../operations/exchange/warehouse/health.ts'
import { onAnyEngine } from '../../support/engines.ts'
import type { Permission } from '../../../runtime/table/permissions.ts'
import { faultsOf } from '../../support/replies.ts'
import { makeWorld, request } from '../../support/world.ts'
import { type BucketServer, keys, startBuckets } from './buckets.ts'
import { startSyncing, type Syncing } from './syncing.ts'

const SECRET = 'Tr0ub4dor&3-never-shown'

test('a sync fails after 5 failures in a row, is tried hourly, and paused after 14 days', () => {
  let health = { enabled: 1, consecutive_failures: 0, failing_since: null, next_at: 0, last_error: null } as ReturnType<typeof afterFailure>
  const waits: number[] = []
  let at = 1_000
  while (health.enabled === 1) {
    health = afterFailure(health, at, 'no')
    if (health.next_at === null) break
    waits.push((health.next_at - at) / 60_000)
    at = health.next_at
    assert.equal(statusOf(health), waits.length >= 5 ? 'failing' : 'active')
  }
  assert.deepEqual(waits.slice(0, 7), [1, 5, 10, 30, 60, 60, 60])
  assert.equal(statusOf(health), 'paused')
  assert.equal(Math.floor((at - 1_000) / 86_400_000), 14)
})

onAnyEngine('a warehouse that', engine => {
  let world: Syncing
  let buckets: BucketServer
  const closing: (() => void)[] = []
  before(async () => {
    ;[world, buckets] = await Promise.all([startSyncing(engine, 20), startBuckets()])
  })
  after(async () => {
    for (const close of closing) close()
    await world.close()
    await buckets.close()
  })

  const listen = async (server: net.Server) => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    return address.port
  }
  const s3 = (more: Record<string, unknown>) =>
    world.get('warehouse_syncs_create', {
      destination: 's3',
      bucket: 'lake',
      site_ids: [world.site.id],
      access_key_id: 'S3RVER',
      secret_access_key: SECRET,
      ...more,
    })
  const postgres = (port: number, more: Record<string, unknown> = {}) =>
    world.get('warehouse_syncs_create', {
      destination: 'postgres',
      site_ids: [world.site.id],
      host: '127.0.0.1',
      port,
      database: 'd',
      username: 'u',
      password: SECRET,
      tls: 'off',
      ...more,
    })
  /** All reports about the run of a sync: record, run, mail and audit log. */
  async function outcome({ id }: { id: string }): Promise<string> {
    await world.sync()
    const sync = await world.get('warehouse_syncs_get', { id })
    const runs = await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })
    const tried = await world.get('warehouse_syncs_test', { id })
    const entries = await world.get('audit_list', {})
    assert.ok(!JSON.stringify([sync, runs, tried, entries]).includes(SECRET))
    assert.equal(runs[0].status, 'failed')
    assert.equal(runs[0].error.message, sync.last_error)
    assert.deepEqual([tried.ok, sync.last_synced_at], [false, null])
    assert.ok(sync.lag_days > 0)
    await world.get('warehouse_syncs_delete', { id })
    return `${sync.last_error}`
  }

  test('has another secret, bucket or key says so', async () => {
    assert.match(await outcome(await s3({ endpoint: buckets.endpoint })), /^SignatureDoesNotMatch: .*\(403\)$/)
    assert.match(await outcome(await s3({ endpoint: buckets.endpoint, access_key_id: 'OTHER' })), /^InvalidAccessKeyId: /)
    assert.match(await outcome(await s3({ endpoint: buckets.endpoint, ...keys, bucket: 'none' })), /^NoSuchBucket: there is no such bucket/)
  })

  test('answers with faults, redirects, lies or nothing does no harm', async () => {
    const answering = async (answer: (request: http.IncomingMessage, response: http.ServerResponse) => void) =>
      outcome(await s3({ endpoint: `http://127.0.0.1:${await listen(http.createServer(answer))}` }))
    const echo = `<Error><Code>${SECRET}</Code><Message>${SECRET}</Message></Error>`
    assert.match(await answering((_, response) => response.writeHead(403).end(echo)), /^AccessDenied: /)
    assert.match(
      await answering((_, response) => response.writeHead(500).end('<'.repeat(3_000_000))),
      /^status_500: the server has a fault/,
    )
    assert.match(
      await answering((_, response) => response.writeHead(400).end('<Error><Code>XAmzContentSHA256Mismatch</Code></Error>')),
      /the checksums differ/,
    )
    const moved = { Location: 'http://169.254.169.254/latest' }
    assert.match(await answering((_, response) => response.writeHead(307, moved).end()), /^status_307: /)
    assert.match(await answering((_, response) => response.writeHead(200).end('yes')), /^protocol_error: the response is not a list/)
    assert.match(await answering(({ socket }) => socket.destroy()), /^connection_reset: /)
    assert.match(
      await outcome(await s3({ endpoint: `http://127.0.0.1:${await listen(net.createServer(socket => socket.end('no')))}` })),
      /^\w+: /,
    )
  })

  test('is no Postgres, repeats the password or never ends does no harm', async () => {
    const speaking = async (speak: (socket: net.Socket) => void, more: Record<string, unknown> = {}) =>
      outcome(await postgres(await listen(net.createServer(socket => speak(socket.on('error', () => {})))), more))
    assert.match(await outcome(await postgres(1)), /^connection_refused: /)
    assert.match(await speaking(socket => socket.end('HTTP/1.1 400 no\r\n\r\n')), /^\w+: /)
    assert.match(await speaking(() => {}), /^timeout: /)
    const message = (type: string, body: Buffer) => {
      const length = Buffer.alloc(4)
      length.writeInt32BE(body.length + 4)
      return Buffer.concat([Buffer.from(type), length, body])
    }
    const fault = (text: string) => message('E', Buffer.from(`SFATAL\0VFATAL\0C28P01\0M${text}\0\0`))
    const wantsPassword = message('R', Buffer.from([0, 0, 0, 3]))
    assert.equal(
      await speaking(socket => {
        let heard = ''
        socket.on('data', data => {
          if (heard === '') socket.write(wantsPassword)
          heard += data.toString('latin1')
          if (heard.includes(SECRET)) socket.end(fault(heard))
        })
      }),
      '28P01: the user or the password is wrong, or may not connect from this address',
    )
    const endless = Buffer.concat([Buffer.from('R'), Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(1_000_000)])
    assert.match(
      await speaking(socket => {
        const more = () => {
          if (!socket.destroyed && socket.write(endless)) setImmediate(more)
        }
        socket.on('drain', more)
        more()
      }),
      /^(protocol_error|connection_reset|timeout): /,
    )
    assert.match(await speaking(socket => socket.once('data', () => socket.write('N')), { tls: 'verify' }), /^tls_error: /)
  })

  test('is inside the network is called only where that is allowed', async () => {
    const inside = await startSyncing(engine, 0, { OUTBOUND_ALLOW_CIDRS: '' })
    const site_ids = [inside.site.id]
    const s3 = { destination: 's3', bucket: 'lake', site_ids, ...keys }
    const pg = { destination: 'postgres', database: 'd', username: 'u', password: 'p', site_ids }
    const refused = async (input: Record<string, unknown>) => faultsOf(await inside.call('warehouse_syncs_create', input))
    for (const endpoint of [
      'http://minio.example.com',
      'https://127.0.0.1:9000',
      'https://[::ffff:10.0.0.1]',
      'https://169.254.169.254',
      'ftp://x.example',
    ]) {
      assert.deepEqual(await refused({ ...s3, endpoint }), ['/endpoint invalid_format'], endpoint)
    }
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '::1', 'a b', 'https://x']) {
      assert.deepEqual(await refused({ ...pg, host }), ['/host invalid_format'], host)
    }
    assert.deepEqual(await refused({ ...pg, host: 'db.example.com', tls: 'off' }), ['/tls mismatch'])
    assert.deepEqual(await refused({ ...s3, destination: 'clickhouse' }), ['/destination not_in_enum'])
    assert.deepEqual(await refused({ ...s3, endpoint: 'https://a.example/path', prefix: '../x', bucket: 'A', host: 'h', password: 'p' }), [
      '/host mismatch',
      '/password mismatch',
      '/bucket invalid_format',
      '/prefix invalid_format',
      '/endpoint invalid_format',
    ])
    await inside.close()
  })

  test('is another one is sent everything, and wants its secret to be shown again', async () => {
    const made = await s3({ endpoint: buckets.endpoint, ...keys, prefix: 'one' })
    await world.sync()
    assert.equal((await world.get('warehouse_syncs_get', { id: made.id })).lag_days, 0)
    const same = await world.call('warehouse_syncs_update', { id: made.id, ...(await world.get('warehouse_syncs_get', { id: made.id })) })
    assert.equal(same.status, 200, same.text)
    assert.ok(!same.text.includes('"S3RVER"}'))
    const elsewhere = await world.call('warehouse_syncs_update', { id: made.id, endpoint: 'http://127.0.0.1:1' })
    assert.deepEqual(faultsOf(elsewhere), ['/secret_access_key required'])
    await world.get('warehouse_syncs_update', { id: made.id, prefix: 'two' })
    await world.sync()
    const [run] = await world.get('warehouse_sync_runs_list', { warehouse_sync_id: made.id })
    assert.ok(run.days > 0)
    const { write } = world.service.store
    const until = world.service.clock.now + 100_000
    await write.updateTable('warehouse_syncs').set({ leased_until: until }).where('id', '=', made.id).execute()
    await world.get('warehouse_syncs_update', { id: made.id, prefix: 'three' })
    const { leased_until } = await write
      .selectFrom('warehouse_syncs')
      .select('leased_until')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    assert.equal(leased_until, until + 1, 'what ran before notes nothing more, and the next waits until it has ended')
    await world.get('warehouse_syncs_delete', { id: made.id })
  })

  test('that refuses five times in a row causes one mail to the creator of the sync', async () => {
    const mailing = await startSyncing(engine, 20, { SMTP_URL: 'smtp://127.0.0.1:1' })
    const { id } = await mailing.get('warehouse_syncs_create', {
      destination: 's3',
      bucket: 'lake',
      endpoint: 'http://127.0.0.1:1',
      site_ids: [mailing.site.id],
      ...keys,
    })
    const { store } = mailing.service
    const mails = async () => (await store.read.selectFrom('mails').select('recipient').execute()).map(({ recipient }) => recipient)
    const before = await mails()
    const statuses: string[] = []
    for (let attempts = 0; attempts < 7; attempts++) {
      await mailing.sync()
      statuses.push((await mailing.get('warehouse_syncs_get', { id })).status)
      await mailing.later(3_700_000)
    }
    assert.deepEqual(statuses, ['active', 'active', 'active', 'active', 'failing', 'failing', 'failing'])
    assert.deepEqual(await mails(), [...before, mailing.site.world.owner.email])
    await mailing.close()
  })

  test('a sync can be created only with the permission to export, and only for sites of the workspace', async () => {
    const body = { destination: 's3', bucket: 'lake', endpoint: buckets.endpoint, site_ids: [world.site.id], ...keys }
    const path = `/workspaces/${world.site.world.ids.workspace}/warehouse_syncs`
    const tokenOf = (permissions: readonly Permission[], siteIds: readonly string[] = []) =>
      world.site.world.tokenFor('owner', { permissions, siteIds })
    const made = async (token: string, more: Record<string, unknown> = {}) =>
      request(world.service, 'POST', path, { token, body: { ...body, ...more } })
    assert.equal((await made(await tokenOf(['workspace.manage']))).status, 403)
    assert.equal((await made(await tokenOf(['workspace.manage', 'analytics.export'], [world.site.id]))).status, 403)
    const whole = await tokenOf(['workspace.manage', 'analytics.export'])
    const other = await makeWorld(world.service)
    const reply = await made(whole, { site_ids: [other.ids.site, 'pa_none'] })
    assert.deepEqual(faultsOf(reply), ['/site_ids/0 not_found', '/site_ids/1 not_found'])
    assert.equal((await made(whole)).status, 201)
  })
})
