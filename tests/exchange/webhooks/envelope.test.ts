/** An envelope is under 20 KB, however long its texts are, and always matches its schema. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { envelopeText } from '../../../operations/exchange/webhooks/envelope.ts'
import { uptime_down } from '../../../operations/watch/uptime/events.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { matches } from '../../../runtime/values/matches.ts'

const at = '2026-11-20T10:00:00.000Z'
const row = { id: 'evt_1', type: 'uptime.down', workspace_id: 'ws_1', site_id: null, created_at: Date.parse(at) }

function down(url: string, failed_locations: string[]): Static<typeof uptime_down.data> {
  const none = {
    site_id: null,
    host: null,
    port: null,
    last_checked_at: at,
    next_check_at: at,
    last_response_ms: null,
    ssl_expires_at: null,
    domain_expires_at: null,
  }
  return {
    check: {
      ...none,
      id: 'upc_1',
      workspace_id: 'ws_1',
      name: url,
      kind: 'keyword',
      url,
      keyword: '"'.repeat(500),
      expected_status: 200,
      accepted_statuses: [],
      http_method: 'GET',
      interval_seconds: 300,
      timeout_seconds: 20,
      status: 'down',
      enabled: true,
      public: false,
      ssl_issuer: '\u0001'.repeat(10_000),
      created_at: at,
    },
    incident: {
      id: 'inc_1',
      started_at: at,
      resolved_at: null,
      duration_seconds: 1,
      cause: 'timeout',
      failed_locations,
    },
  }
}

test('a payload within the limit is sent unchanged', () => {
  const data = down('https://example.com/', ['fra1', 'iad1'])
  const kept = { ...data, check: { ...data.check, ssl_issuer: 'x'.repeat(10_000) } }
  assert.deepEqual(JSON.parse(envelopeText({ ...row, data: JSON.stringify(kept) })).data, kept)
})

test('a payload over the limit has its texts and lists cut, and matches its schema', () => {
  for (const [url, places] of [
    ['x', 1],
    ['é'.repeat(9_000), 1],
    ['😀'.repeat(2_000), 5_000],
  ] as const) {
    const data = down(
      `https://example.com/${url}`,
      Array.from({ length: places }, (_, i) => `location-${i}`),
    )
    assert.ok(matches(uptime_down.data, data))
    const text = envelopeText({ ...row, data: JSON.stringify(data) })
    assert.ok(Buffer.byteLength(text) < 20_000, String(Buffer.byteLength(text)))
    const sent = JSON.parse(text)
    assert.ok(matches(uptime_down.data, sent.data))
    assert.ok(sent.data.check.ssl_issuer.endsWith('…'))
    const { check, incident } = sent.data
    assert.deepEqual([sent.id, sent.type, check.id, incident.cause], ['evt_1', 'uptime.down', 'upc_1', 'timeout'])
    assert.equal(incident.failed_locations[0], 'location-0')
    assert.doesNotMatch(text, /\\ud[89ab]/, 'no half of a character')
  }
})
