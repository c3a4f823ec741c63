/** The upload of a file: complete, or in pieces that can be repeated after a broken connection. */
import { m } from './messages.ts'
import { endpoint, type EndpointAnswer, type EndpointRequest } from '../../../runtime/table/endpoint.ts'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { fileIn, maxOfForm } from '../../../runtime/call/multipart.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { checkLink, files } from '../files/index.ts'
import { IMPORT_MAX_MB } from './settings.ts'
import { takeUpload, type UploadLease } from './upload-lease.ts'
import { uploadPath } from './upload-path.ts'
import { workspaceKind } from './workspace/records.ts'

const MEGABYTE = 1_048_576

export const imports_upload = endpoint({
  route: 'PUT /imports/{id}/file',
  summary: 'Upload the file of an import by its link',
  access: 'public',
  async handle(request, app) {
    const { id } = await waiting(request, app)
    return receive(id, request, app)
  },
})

export const imports_upload_form = endpoint({
  route: 'POST /imports/{id}/file',
  summary: 'Upload the file of an import from the form of its page',
  access: 'public',
  ownOrigin: true,
  async handle(request, app) {
    const row = await waiting(request, app)
    const { name, body } = await fileIn(request.bytes(), request.header('content-type'))
    if (endingOf(name) !== endingOf(row.filename)) fail('validation_failed', m.waits_for({ filename: row.filename }))
    const max = Math.min(maxOfForm, maxBytes(app))
    // It counts as a part until it is complete, because only then its size is known.
    await underLease(app, {
      id: row.id,
      announced: max + 1,
      write: async lease => {
        if (!(await app.use(files).write(row.id, { from: 0, bytes: lease.whileLeased(body), max }))) {
          if (max < maxBytes(app)) fail('payload_too_large', m.form_too_large({ most: max }))
          tooLarge(max)
        }
        await lease.recordSize((await app.use(files).sizeOf(row.id)) ?? 0)
      },
    })
    return { status: 303, headers: { Location: pageOf(row), 'Cache-Control': 'no-store' } }
  },
})

const pageOf = (row: { id: string; kind: string; workspace_id: string; site_id: string }): string =>
  row.kind === workspaceKind ? `/workspaces/${row.workspace_id}/imports/${row.id}` : `/sites/${row.site_id}/imports/${row.id}`

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()
const maxBytes = ({ config }: HandlerServices): number => config.of(IMPORT_MAX_MB) * MEGABYTE

/** Finds the import of the link, which must not be started. @throws Failure */
async function waiting({ path: { id = '' }, url }: EndpointRequest, app: HandlerServices) {
  await checkLink({ box: app.use(secretBox), db: app.store.read, now: app.now() }, { method: 'PUT', path: uploadPath(id), url })
  const row = await app.store.read
    .selectFrom('imports')
    .select(['id', 'kind', 'workspace_id', 'site_id', 'filename', 'status', 'removing', 'url_shown'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || row.removing === 1 || row.url_shown !== null) fail('not_found')
  if (row.status !== 'awaiting_upload') fail('invalid_state', m.started_already())
  return row
}

interface UnderLease {
  readonly id: string
  readonly announced: number | null
  readonly write: (lease: UploadLease) => Promise<void>
}

/** @param announced size of the file, null if unknown */
async function underLease(app: HandlerServices, { id, announced, write }: UnderLease): Promise<void> {
  const lease = await takeUpload(app, id, announced)
  if (!lease) fail('invalid_state', m.uploaded_by_another())
  try {
    await write(lease)
  } finally {
    await lease.end()
  }
}

async function receive(id: string, request: EndpointRequest, app: HandlerServices): Promise<EndpointAnswer> {
  const { use } = app
  const max = maxBytes(app)
  const range = rangeOf(request.header('content-range'))
  const question = range !== undefined && range.from === undefined
  if (question) return answer((await use(files).sizeOf(id)) ?? 0, range.total)
  const { from = 0, total } = range ?? {}
  if (total !== undefined && total > max) tooLarge(max)
  const length = numberIn(request.header('content-length'))
  const announced = total ?? length
  await underLease(app, {
    id,
    announced: announced ?? null,
    write: async lease => {
      const received = (await use(files).sizeOf(id)) ?? 0
      if (from > received) {
        fail('invalid_state', m.range_has_gap({ from, here: received }))
      }
      const end = range?.to === undefined ? max : Math.min(max, range.to + 1)
      const fits = await use(files).write(id, { from, bytes: lease.whileLeased(request.bytes()), max: end })
      if (!fits) {
        if (range !== undefined) fail('invalid_state', m.piece_too_long({ end: end - 1 }))
        tooLarge(max)
      }
    },
  })
  return answer((await use(files).sizeOf(id)) ?? 0, announced)
}

function tooLarge(max: number): never {
  fail('payload_too_large', m.file_too_large({ most: max }))
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
 * `bytes 0-99/1000`, or `bytes * /1000`, which queries the received size (RFC 9110 §14.4).
 * @returns undefined without the header
 */
function rangeOf(header: string | undefined): { from: number | undefined; to: number | undefined; total: number | undefined } | undefined {
  if (header === undefined) return undefined
  const [matched, from, to, total] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(header.trim()) ?? []
  const isWithin = from === undefined || (Number(to) >= Number(from) && (total === '*' || Number(to) < Number(total)))
  if (matched === undefined || !isWithin) {
    fail('invalid_state', m.not_a_range())
  }
  return { from: numberIn(from), to: numberIn(to), total: numberIn(total) }
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
