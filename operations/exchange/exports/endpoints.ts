/** The file of an export, by its link. */
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { checkLink, files, type StoredFile } from '../files/index.ts'
import { downloadPath, fileName } from './export-files.ts'

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  zip: 'application/zip',
}

export const exports_download = endpoint({
  route: 'GET /exports/{id}/file',
  summary: 'Download the file of an export by its link',
  access: 'public',
  async handle(request, { use, store, now }) {
    const id = request.path.id ?? ''
    await checkLink({ box: use(secretBox), db: store.read, now: now() }, { method: 'GET', path: downloadPath(id), url: request.url })
    const row = await store.read.selectFrom('exports').selectAll().where('id', '=', id).where('status', '=', 'completed').executeTakeFirst()
    const file = row && (await use(files).open(id))
    if (!row || !file) fail('not_found')
    const name = fileName(row)
    return {
      status: 200,
      headers: {
        'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        'Content-Length': String(file.size),
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'private, no-store, no-transform',
      },
      body: whole(file),
    }
  },
})

async function* whole(file: StoredFile): AsyncGenerator<Uint8Array> {
  try {
    yield* file.read()
  } finally {
    await file.close()
  }
}
