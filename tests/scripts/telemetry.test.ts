/** Traces and metrics of a service as a collector gets them, and the request log. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { traceQuery } from '../../scripts/telemetry.ts'
import { traceWith } from '../../runtime/observability/tracing.ts'
import { onAnyEngine } from '../support/engines.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A span in OTLP's JSON (opentelemetry.io/docs/specs/otlp). */
interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: ReadonlyArray<{ key: string; value: Record<string, unknown> }>
}

interface ReceivedMetric {
  readonly name: string
  readonly sum?: { dataPoints: Array<{ attributes: ReceivedSpan['attributes']; asDouble: number }>; isMonotonic: boolean }
  readonly histogram?: { dataPoints: Array<{ count: number; bucketCounts: number[]; explicitBounds: number[] }> }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

/** Starts a collector, which keeps what it gets. */
async function startCollector() {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

onAnyEngine('a service with a collector', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let collector: Awaited<ReturnType<typeof startCollector>>
  let output = ''
  let spans: ReceivedSpan[]
  let metrics: ReceivedMetric[]

  before(async () => {
    collector = await startCollector()
    database = await engine.create()
    const service = await startProcess(database.url, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      REQUEST_LOG: 'on',
      LOG_LEVEL: 'info',
    })
    await visit(service).finally(() => service.end('SIGTERM')) // sends the rest
    output = service.output()
    const bodies = (path: string) => collector.received.filter(each => each.path === path).map(each => JSON.parse(String(each.body)))
    spans = bodies('/v1/traces').flatMap(body =>
      body.resourceSpans.flatMap((each: any) => each.scopeSpans.flatMap((scope: any) => scope.spans)),
    )
    metrics = bodies('/v1/metrics')
      .at(-1)
      .resourceMetrics.flatMap((each: any) => each.scopeMetrics.flatMap((scope: any) => scope.metrics))
  })
  after(async () => {
    collector.close()
    await database.drop()
  })

  /** A hit, a call that is refused, and an address that is none. */
  async function visit({ address, output }: ServiceProcess): Promise<void> {
    const [token = ''] = /pat_\w+/.exec(output()) ?? []
    const [site = ''] = /pa_\w+/.exec(output()) ?? []
    const hit = await fetch(`${address}/api/event`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': browser, traceparent: `00-${traceId}-${spanId}-01` },
      body: JSON.stringify({ name: 'pageview', domain: 'localhost', url: 'http://localhost/typed-by-a-visitor' }),
    })
    assert.equal(hit.status, 202)
    const own = { headers: { Authorization: `Bearer ${token}` } }
    assert.equal((await fetch(`${address}/sites/${site}/goals.json`, own)).status, 200)
    assert.equal((await fetch(`${address}/sites/pa_of_nobody/goals.json`, own)).status, 404)
    assert.equal((await fetch(`${address}/typed-by-a-visitor/ann@example.com`)).status, 404)
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
  }

  const attribute = (span: ReceivedSpan, key: string) => Object.values(span.attributes.find(each => each.key === key)?.value ?? {})[0]
  const named = (name: string) => spans.filter(span => span.name === name)
  const within = (span: ReceivedSpan): ReceivedSpan[] =>
    spans.filter(each => each.parentSpanId === span.spanId).flatMap(each => [each, ...within(each)])

  test('a request continues the trace of its sender, and holds its steps and queries', () => {
    const [hit] = named('POST /api/event')
    assert.ok(hit)
    assert.deepEqual([hit.traceId, hit.parentSpanId, attribute(hit, 'http.response.status_code')], [traceId, spanId, 202])
    const names = within(hit).map(({ name }) => name)
    for (const name of ['authenticate', 'insert hits']) assert.ok(names.includes(name), `${name} is not in ${names.join(', ')}`)
  })

  test('an operation that is refused is a failed span with the code of the error', () => {
    const codes = named('goals_list').map(span => attribute(span, 'error.type'))
    assert.deepEqual(codes.toSorted(), ['not_found', undefined])
    assert.ok(named('GET /sites/{site_id}/goals').every(span => span.parentSpanId === undefined))
  })

  test('runs of tasks are traces; health checks are none', () => {
    assert.ok(spans.some(span => span.name.startsWith('task ') && span.parentSpanId === undefined))
    assert.deepEqual(named('GET /healthz'), [])
  })

  test('metrics have the names and values of /metrics', () => {
    const of = (name: string) => metrics.find(metric => metric.name === name)
    const requests = of('footfall_requests_total')?.sum
    const hits = requests?.dataPoints.find(({ attributes }) => JSON.stringify(attributes).includes('POST /api/event'))
    assert.deepEqual([requests?.isMonotonic, hits?.asDouble], [true, 1])
    const durations = of('footfall_request_duration_seconds')?.histogram?.dataPoints ?? []
    for (const { count, bucketCounts, explicitBounds } of durations) {
      assert.equal(bucketCounts.length, explicitBounds.length + 1)
      assert.equal(
        bucketCounts.reduce((sum, each) => sum + each, 0),
        count,
      )
    }
    assert.ok(durations.length > 0)
    assert.ok(of('process_resident_memory_bytes'))
  })

  test('nothing that a visitor or a client sent is in spans, metrics or the request log', () => {
    const sent = Buffer.concat(collector.received.map(({ body }) => body)).toString()
    const lines = output.split('\n').filter(line => line.includes('"answered"'))
    for (const text of ['typed-by-a-visitor', 'ann@example.com', 'pat_', 'pa_of_nobody', 'Mozilla'])
      assert.ok(!sent.includes(text) && !lines.join().includes(text), text)
    const routes = lines.map(line => JSON.parse(line)).map(({ route, status }) => `${route} ${status}`)
    assert.deepEqual(routes, [
      'POST /api/event 202',
      'GET /sites/{site_id}/goals 200',
      'GET /sites/{site_id}/goals 404',
      'GET * 404',
      'GET /healthz 200',
    ])
    assert.ok(collector.received.every(({ headers }) => headers['x-key'] === 'of-the-collector'))
  })
})

onAnyEngine('a service with a collector and a share of no traces', engine => {
  test('sends no trace, even if the sender asks for one, and metrics as protobuf', async () => {
    const collector = await startCollector()
    const database = await engine.create()
    try {
      const service = await startProcess(database.url, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' })
      await fetch(`${service.address}/sites.json`, { headers: { traceparent: `00-${traceId}-${spanId}-01` } })
      assert.equal((await service.end('SIGTERM')).code, 0)
      const sent = collector.received.map(({ path, headers }) => `${path} ${headers['content-type']}`)
      assert.deepEqual([...new Set(sent)], ['/v1/metrics application/x-protobuf'])
    } finally {
      collector.close()
      await database.drop()
    }
  })
})

test('a query is named by its verb and table', () => {
  const names: string[] = []
  traceWith({
    span: (_, work) => work({ set: () => {}, fail: () => {} }),
    part: (_, work) => work(),
    ended: ({ name }) => void names.push(name),
    headers: () => ({}),
  })
  for (const sql of [
    'select * from "sites" where id = ?',
    'update "api_tokens" set x = ?',
    '/* a.b */ insert into hits values (?)',
    'begin',
  ])
    traceQuery({ sql, ms: 1, fault: undefined })
  traceWith(undefined)
  assert.deepEqual(names, ['select sites', 'update api_tokens', 'insert hits', 'begin'])
})
