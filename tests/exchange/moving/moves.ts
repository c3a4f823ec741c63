/** Exports and imports of workspaces over the API. */
import assert from 'node:assert/strict'
import { fromBuffer } from 'yauzl'
import { table } from '../../../operations/index.ts'
import { callHttp, type Reply, type World } from '../../support/world.ts'
import type { Importing } from '../imports/site.ts'

export type Caller = (name: string, input?: Record<string, unknown>) => Promise<any>

/** Calls operations of a workspace, whatever they answer. */
export function asker(service: Importing, world: World): (name: string, input?: Record<string, unknown>) => Promise<Reply> {
  return (name, input = {}) => {
    const operation = table.operations.get(name)
    assert.ok(operation, name)
    const place = 'site_id' in input ? {} : { workspace_id: world.ids.workspace }
    return callHttp(service, operation, { ...place, ...input }, world.token)
  }
}

export function caller(service: Importing, world: World): Caller {
  const ask = asker(service, world)
  return async (name, input = {}) => {
    const reply = await ask(name, input)
    assert.ok(reply.status < 300, `${name}: ${reply.status} ${reply.text}`)
    return reply.body.data
  }
}

export async function exportedFrom(service: Importing, call: Caller): Promise<{ record: any; content: Buffer }> {
  const made = await call('workspaces_export')
  await service.run()
  const record = await call('workspace_exports_get', { id: made.id })
  assert.equal(record.status, 'completed', JSON.stringify(record))
  const answer = await service.web.request(record.download_url)
  return { record, content: Buffer.from(await answer.arrayBuffer()) }
}

/** An import whose file is uploaded. */
export async function uploadedTo(service: Importing, call: Caller, content: Buffer): Promise<string> {
  const made = await call('workspaces_import', { filename: 'workspace.zip' })
  const put = await service.web.request(made.upload_url, { method: 'PUT', body: new Uint8Array(content) })
  assert.equal(put.status, 200, await put.text())
  return made.id
}

export async function importedInto(service: Importing, call: Caller, content: Buffer): Promise<any> {
  const id = await uploadedTo(service, call, content)
  await call('workspace_imports_start', { id })
  await service.run()
  return call('workspace_imports_get', { id })
}

/** The parts of a zip. */
export function unzipped(content: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const parts: Record<string, string> = {}
    fromBuffer(content, { lazyEntries: true }, (error, zip) => {
      if (!zip) return reject(error)
      zip.on('error', reject)
      zip.on('end', () => resolve(parts))
      zip.on('entry', entry =>
        zip.openReadStream(entry, async (fault, stream) => {
          if (!stream) return reject(fault)
          parts[entry.fileName] = Buffer.concat(await stream.toArray()).toString()
          zip.readEntry()
        }),
      )
      zip.readEntry()
    })
  })
}
