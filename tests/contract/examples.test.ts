/**
 * Each example of each operation over HTTP, and over MCP with an equal result. A normal run takes the first example of each
 * operation on Postgres and over MCP.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { carriedBy } from '../../adapters/surfaces.ts'
import { isEnvelope } from '../../runtime/table/answer-kinds.ts'
import { table } from '../../operations/index.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { isThorough, onEachEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { callTool } from '../support/mcp.ts'
import { callHttp, fill, makeWorld, makeWorldOf, refusals, startService, type TestService, tokenOf, type World } from '../support/world.ts'

onEachEngine('the examples', engine => {
  let service: TestService
  /** For reads that leave nothing, not even in the audit log. */
  let kept: World
  before(async () => {
    service = await startService(engine)
    kept = await makeWorld(service)
  })
  after(() => service.close())

  for (const row of table.operations.values()) {
    for (const [i, example] of row.examples.entries()) {
      if (i > 0 && !isThorough(engine)) continue
      const isCompared = isFull || (i === 0 && isThorough(engine))
      test(`${row.id} ${i + 1}${example.summary ? ` (${example.summary})` : ''} is answered${isCompared ? ', and the same over MCP' : ''}`, async () => {
        const world = row.effect === 'read' && !row.audited ? kept : await makeWorldOf(service, row)
        const http = await callHttp(service, row, fill(example.input, world), tokenOf(world, row))
        if (row.id in refusals) return assert.equal(http.body.error.code, refusals[row.id], http.text)
        assert.equal(http.status, row.status, http.text)
        if (isEnvelope(row.answers)) assert.deepEqual(Object.keys(http.body).sort(), ['data', 'meta'])
        await auditedOnce(row, world.ids.workspace ?? '')
        if (!carriedBy('mcp', row) || !isCompared) return

        // A write needs a fresh world; a read can use the same one.
        const second = row.effect === 'read' ? world : await makeWorldOf(service, row)
        const mcp = await callTool(service, row.id, fill(example.input, second), second.token)
        assert.equal(mcp.isError, false, JSON.stringify(mcp.body))
        assert.deepEqual(nameless(mcp.body), nameless(http.body))
      })
    }
  }

  async function auditedOnce(row: NamedOperation, workspace: string) {
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .select(['operation', 'input'])
      .where('workspace_id', '=', workspace)
      .execute()
    const named = entries.map(entry => entry.operation)
    // A public operation has no caller: it writes the entry itself, if it knows who acted.
    if (row.access === 'public' && !row.credential) assert.ok(named.every(name => name === row.id) && named.length <= 1)
    else assert.deepEqual(named, row.audited ? [row.id] : [])
    for (const entry of entries) assert.doesNotMatch(entry.input, /pat_[0-9A-Za-z]{30}|whsec_/)
  }
})

const prefixes = Object.values(table.ids).map(({ prefix }) => prefix)
const ofIds = new RegExp(`\\b(${prefixes.join('|')})[0-9a-z]{20,}`, 'g')

/** The error of a name that does not exist; the name server of a machine may also not answer in time. */
const unknownName = /dns_error: the name does not resolve|timeout: the time limit passed/g
const unreachable = /"code":"(?:dns|http_status)","ok":false,"message":"(https:\S+) no name\.","remedy":"[^"]*"/g
const noRecord = /(?:There is no TXT record at|The name server did not answer for) (\S+) [^"]*/g

/** Removes ids, secrets and random values, the only things that may differ between two worlds. */
function nameless(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(ofIds, '$1')
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'uuid')
      .replace(/(pat|stc)_[0-9A-Za-z]+/g, '$1_')
      .replace(/"last_used_at":(null|"[^"]*")/g, '"last_used_at":"beside the call"')
      .replace(/whsec_[\w+/=]+/g, 'whsec_')
      .replace(/invitations\/[\w-]{43}/g, 'invitations/secret')
      .replace(/(footfall-sso-verification=)[\da-f]+/g, '$1')
      .replace(/(\/invitations\/)[\w-]{43}/g, '$1')
      .replace(/(\/share\/)\w{24}/g, '$1')
      .replace(/("slug":"|\/status\/)[a-z0-9-]{3,64}(?=["/])/g, '$1')
      .replace(/("script_path":"|footfall\.test\/)[a-z]\d[0-9a-z]{10}/g, '$1')
      .replace(/((?:footfall_verify|signature)=)[\da-f]+/g, '$1')
      .replace(/("slug":"|\/l\/)[0-9a-z]{8,12}(?=")/g, '$1')
      .replace(unknownName, 'no name')
      .replace(unreachable, '"unreachable":"$1"')
      .replace(noRecord, 'no record at $1')
      .replace(/[\da-f]{10}(?=[.@])/g, 'chance'),
  )
}
