/** The upload of a file: whole, or in pieces that may be sent again after a broken connection. */
import { endpoint, type EndpointAnswer, type EndpointRequest } from '../../../runtime/endpoint.ts'
import type { App } from '../../../runtime/app.ts'
import { fail } from '../../../runtime/errors.ts'
import { resource } from '../../../runtime/resource.ts'
import { secretBox } from '../../../runtime/secret-box.ts'
import { checkLink, files } from '../files/index.ts'
import { IMPORT_MAX_MB } from './settings.ts'
import { uploadPath } from './upload-path.ts'

const MEGABYTE = 1_048_576

/** Uploads under way in this process: two at once would write into one file. */
const uploading = resource<Set<string>>({ name: 'uploads', open: () => new Set(), close: async () => {} })

export const imports_upload = endpoint({
  route: 'PUT /imports/{id}/file',
  summary: 'The file of an import, by its link',
  access: 'public',
  async handle(request, app) {
    const id = request.path.id ?? ''
    await checkLink({ box: app.use(secretBox), db: app.store.read, now: app.now() }, 'PUT', uploadPath(id), request.url)
    const row = await app.store.read.selectFrom('imports').select(['status', 'removing']).where('id', '=', id).executeTakeFirst()
    if (!row || row.removing === 1) fail('not_found')
    if (row.status !== 'awaiting_upload') fail('invalid_state', 'This import is started: its file can no longer be replaced.')
    const under = app.use(uploading)
    if (under.has(id)) fail('invalid_state', 'Another request is uploading this file.')
    under.add(id)
    try {
      return await receive(id, request, app)
    } finally {
      under.delete(id)
    }
  },
})

async function receive(id: string, request: EndpointRequest, { use, store, config, now }: App): Promise<EndpointAnswer> {
  const most = config.of(IMPORT_MAX_MB) * MEGABYTE
  const range = rangeOf(request.header('content-range'))
  const received = (await use(files).sizeOf(id)) ?? 0
  if (range?.from === undefined && range !== undefined) return answer(received, range.total)
  const { from = 0, total } = range ?? {}
  if (total !== undefined && total > most) tooLarge(most)
  if (from > received) {
    fail('invalid_state', `The range begins at ${from}, and ${received} bytes are here: send those from ${received} on.`)
  }
  // Written down first, so that a part of a file never passes for all of it.
  const announced = total ?? numberIn(request.header('content-length'))
  await store.write
    .updateTable('imports')
    .set({ bytes: announced ?? null, updated_at: now() })
    .where('id', '=', id)
    .execute()
  const fits = await use(files).write(id, from, request.bytes(), Math.min(most, total ?? most))
  if (!fits) {
    if (total !== undefined) fail('invalid_state', `The piece goes beyond the ${total} bytes that Content-Range says.`)
    tooLarge(most)
  }
  return answer((await use(files).sizeOf(id)) ?? 0, announced)
}

function tooLarge(most: number): never {
  fail('payload_too_large', `The file may have at most ${most} bytes (IMPORT_MAX_MB).`)
}

function answer(received: number, total: number | undefined): EndpointAnswer {
  const complete = total === undefined || received >= total
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify({ data: { received, total: total ?? received, complete }, meta: {} }),
  }
}

/**
 * `bytes 0-99/1000`, or with `bytes * /1000` the question how much is here (RFC 9110 §14.4).
 * @returns undefined without the header
 */
function rangeOf(header: string | undefined): { from: number | undefined; total: number | undefined } | undefined {
  if (header === undefined) return undefined
  const [matched, from, to, total] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(header.trim()) ?? []
  if (matched === undefined || (from !== undefined && Number(to) < Number(from))) {
    fail('invalid_state', 'Content-Range must be like "bytes 0-1048575/5000000", with what is sent and the size of all.')
  }
  return { from: from === undefined ? undefined : Number(from), total: numberIn(total) }
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
