import { sentenceOf, valueTerm } from '../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { targetUrl, urlFaults } from '../../../runtime/outbound/outbound.ts'
import { CalendarDay, help, Name, ofFile, OneOf, optional, shownWith } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { isTransaction } from '../../../storage/store.ts'
import { dayOf, isZone, localDay } from '../../../storage/calendar/zones.ts'
import { site } from '../../sites/sites/records.ts'
import { files, signedLink } from '../files/index.ts'
import { checkFile } from './check.ts'
import { fieldNames } from './fields.ts'
import { KEPT_REFUSALS } from './journal.ts'
import { newImport, startImport } from './new-import.ts'
import { Import, imported, ids, overlaps, Refused, toImport } from './records.ts'
import { type SourceName, sourceNames, sources } from './sources/index.ts'
import { removeTotals, undoableOf } from './undo.ts'
import { uploadPath } from './upload-path.ts'
import { importTask, UPLOAD_MS } from './task-name.ts'
import { m } from './messages.ts'

/** Imports of a site whose file is still awaited. */
const MAX_AWAITED = 20

const ofImport = { site_id: '{{site}}', id: '{{import}}' }

export const imports_list = list({
  route: 'GET /sites/{site_id}/imports',
  summary: 'List the imports of a site',
  empty: {
    says: 'Bring your history along: from Google Analytics, Plausible, Matomo, Umami, or a CSV file.',
    like: [
      ['plausible-export.zip', '590,862'],
      ['ga4-2019-2026.csv', '12,410'],
    ],
  },
  description: 'Newest first, with their progress.',
  place: 'data',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: Import,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('imports').selectAll().where('site_id', '=', site.id).where('removing', '=', 0)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    const undoable = await undoableOf(db, rows)
    return { rows: rows.map(row => toImport(row, { undoable: undoable.has(row.id) })), total }
  },
})

export const imports_get = operation({
  route: 'GET /sites/{site_id}/imports/{id}',
  summary: 'Get an import: its progress, imported and refused rows',
  access: 'analytics.read',
  on: [site, imported],
  effect: 'read',
  input: {},
  output: Import,
  examples: [{ input: ofImport }],
  run: async ({ db, import: row }) => toImport(row, { undoable: (await undoableOf(db, [row])).has(row.id) }),
})

const created = {
  succeeded: m.import_created,
  failed: m.the_import_failed,
  pending: m.import_started,
  cancelled: m.import_cancelled,
}

export const imports_create = operation({
  route: 'POST /sites/{site_id}/imports',
  summary: 'Import history from another analytics product',
  description:
    'Upload the file afterwards: from the page of the import, or with PUT to `upload_url`, complete or in pieces; then call `imports_start`. With a URL, Footfall downloads the file and starts the import.',
  help: 'Upload the file from this computer, or let Footfall download it from a URL.',
  access: 'sites.manage',
  on: locked(site),
  effect: 'create',
  contacts: true,
  secrets: ['upload_url', 'url'],
  input: {
    source: OneOf(sourceNames, { description: 'Product that exported the file.' }),
    filename: optional(
      Name({ maxLength: 200, description: 'Name of the file; its ending decides the format. Required without `url`.', [ofFile]: true }),
    ),
    url: optional(Type.String({ maxLength: 4_000, description: 'HTTPS URL of the file; its query may contain a key.' })),
    map: optional(
      Type.Record(Type.String({ maxLength: 40 }), Type.String({ minLength: 1, maxLength: 200 }), {
        maxProperties: 60,
        [shownWith]: { field: 'source', values: ['footfall'] },
        description: 'For `footfall`: the column of each field, for example {"timestamp": "created_at"}.',
      }),
    ),
    timezone: Type.String({ default: 'UTC', maxLength: 64, format: 'timezone', description: 'IANA time zone of times without an offset.' }),
    from: optional(CalendarDay({ description: 'First day to import.' })),
    to: optional(CalendarDay({ description: 'Last day to import, included.' })),
    dry_run: Type.Boolean({ default: false, description: 'Whether to read and check the file without storing anything.' }),
    overlap: OneOf(overlaps, {
      default: 'refuse',
      description:
        'Days that an earlier import of the same source has: `refuse` the file and name them, `skip` them, `replace` them by the file, or `add` the file to them (hits only).',
      [help]: 'If an earlier import of this product has some of the days: refuse the file, skip these days, replace them, or add to them.',
    }),
  },
  output: Import,
  outcome: ({ status, error }) =>
    status === 'awaiting_upload' ? { is: 'success', says: created.succeeded } : outcomeOf(status, created, error),
  examples: [
    { summary: 'From Plausible', input: { site_id: '{{site}}', source: 'plausible', filename: 'export.zip' } },
    {
      summary: 'From a URL',
      input: { site_id: '{{site}}', source: 'footfall', url: 'https://files.example.com/hits.parquet?key=secret' },
    },
    {
      summary: 'Dry run of a file in Footfall’s format',
      input: { site_id: '{{site}}', source: 'footfall', filename: 'hits.csv.gz', map: { timestamp: 'created_at' }, dry_run: true },
    },
  ],
  async run({ db, site, caller, input, now, newId, use, config }) {
    const [from, to] = [input.from, input.to].map(date => (date === undefined ? null : dayOf(date)))
    failWith([...faultsOf(input, from ?? null, to ?? null), ...(input.url === undefined ? [] : urlFaults(input.url, config))])
    const url = input.url === undefined ? undefined : targetUrl(input.url)
    const filename = input.filename ?? nameIn(url)
    const open = db
      .selectFrom('imports')
      .where('site_id', '=', site.id)
      .where('status', 'in', ['awaiting_upload', ...jobsOpen])
    if ((await countOf(open)) >= MAX_AWAITED) fail('limit_reached', m.too_many_awaited({ most: MAX_AWAITED }))
    const made = { id: newId(ids.import), now, createdBy: caller.member.accountId }
    const asked = { ...input, filename, map: input.map ?? {}, from: from ?? null, to: to ?? null }
    if (url) {
      const fetched = { url: await use(secretBox).seal(db, url.href, made.id), shown: `${url.origin}${url.pathname}` }
      const row = newImport({ ...asked, fetched }, site, made)
      await db.insertInto('imports').values(row).execute()
      wakeAfter(db, importTask)
      return toImport(row, { undoable: false })
    }
    const row = newImport(asked, site, made)
    await db.insertInto('imports').values(row).execute()
    const uploadUrl = await signedLink(
      { box: use(secretBox), db, config },
      { method: 'PUT', path: uploadPath(row.id), until: now + UPLOAD_MS },
    )
    return toImport(row, { undoable: false, uploadUrl })
  },
})

const started = {
  succeeded: m.import_finished,
  failed: m.the_import_failed,
  pending: m.import_started,
  cancelled: m.import_cancelled,
}

export const imports_start = operation({
  route: 'POST /sites/{site_id}/imports/{id}/start',
  summary: 'Start an import after its file was uploaded',
  label: 'Start the import',
  done: 'Import started.',
  description: 'First checks that the file is complete, belongs to the product, is new, and covers no days with totals of another import.',
  access: 'sites.manage',
  on: [locked(site), locked(imported)],
  effect: 'update',
  offered: { status: ['awaiting_upload'] },
  rate: 'costly',
  input: {},
  output: Import,
  outcome: ({ status, error }) => outcomeOf(status, started, error),
  examples: [{ input: ofImport }],
  async prepare({ import: row, site, use, now }) {
    if (row.status !== 'awaiting_upload') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    if (row.upload_until !== null && row.upload_until > now) fail('invalid_state', m.being_uploaded())
    return { checked: await checkFile(use(files), row, localDay(site.timezone, now).day) }
  },
  async run({ db, store, site, import: row, checked, now }) {
    if (row.status !== 'awaiting_upload') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    const started = await startImport(db, { dialect: store.dialect, site, row, checked, now })
    wakeAfter(db, importTask)
    return toImport(started ?? fail('not_found'), { undoable: false })
  },
})

export const imports_cancel = operation({
  route: 'POST /sites/{site_id}/imports/{id}/cancel',
  summary: 'Cancel an import',
  label: 'Stop the import',
  done: 'Import cancelled.',
  description: 'Stored hits stay until the import is deleted; totals are deleted at once.',
  access: 'sites.manage',
  on: [site, locked(imported)],
  effect: 'update',
  discards: true,
  offered: { status: ['awaiting_upload', 'pending', 'running'] },
  input: {},
  output: Import,
  examples: [{ input: ofImport }],
  async run({ db, import: row, now }) {
    if (!['awaiting_upload', 'pending', 'running'].includes(row.status))
      fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    const cancelled = await db
      .updateTable('imports')
      .set({ status: 'cancelled', url: null, finished_at: now, updated_at: now })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (row.kind === 'aggregates') await removeTotals(db, row.id)
    return toImport(cancelled, { undoable: (await undoableOf(db, [cancelled])).has(row.id) })
  },
})

export const imports_delete = operation({
  route: 'DELETE /sites/{site_id}/imports/{id}',
  summary: 'Delete an import and the data that it imported',
  description: 'Deletes totals always, and hits only if their days contain no other hits. A running import must be cancelled first.',
  access: 'sites.manage',
  on: [site, locked(imported)],
  effect: 'delete',
  input: {},
  output: Import,
  examples: [{ input: ofImport }],
  async run({ db, site, store, import: row }) {
    if (row.status === 'pending' || row.status === 'running') fail('invalid_state', m.under_way())
    const answer = toImport(row, { undoable: false })
    const hasHits = row.kind === 'hits' && row.rows_taken > 0 && row.dry_run === 0
    if (!hasHits) {
      await db.deleteFrom('imports').where('id', '=', row.id).execute()
      return answer
    }
    if (isTransaction(db)) await store.dialect.lockSites(db, [site.number])
    if (!(await undoableOf(db, [row])).has(row.id)) {
      fail('invalid_state', m.not_undoable())
    }
    await db.updateTable('imports').set({ removing: 1 }).where('id', '=', row.id).execute()
    if (row.fingerprint !== null) {
      await db.deleteFrom('hit_imports').where('site_id', '=', site.number).where('fingerprint', '=', row.fingerprint).execute()
    }
    wakeAfter(db, importTask)
    return answer
  },
})

export const imports_refused_list = list({
  route: 'GET /sites/{site_id}/imports/{id}/refused',
  summary: 'List the lines that an import refused, with the reasons',
  empty: {
    says: 'No line was refused.',
    like: [['–', '0']],
  },
  description: 'Returns the first 10,000 in the order of the file. For a file, use `refused.csv?per_page=10000`.',
  help: 'The first 10,000, in the order of the file.',
  access: 'sites.manage',
  on: [site, imported],
  effect: 'read',
  input: {},
  of: Refused,
  maxOnPage: KEPT_REFUSALS,
  examples: [{ input: ofImport }],
  async run({ db, import: row, page }) {
    const all = db.selectFrom('import_refusals').select(['file', 'line', 'reason', 'text']).where('import_id', '=', row.id)
    const { rows, total } = await pageOf(all.orderBy('seq'), page)
    return { rows: rows.map(line => ({ ...line, reason: sentenceOf(line.reason) })), total }
  },
})

/** The last part of the path of an address. */
function nameIn(url: URL | undefined): string {
  const last = url?.pathname.split('/').at(-1) ?? ''
  try {
    return (
      decodeURIComponent(last)
        .replace(/\p{Cc}/gu, '')
        .slice(0, 200) || 'file'
    )
  } catch {
    return 'file' // a % that does not begin a code
  }
}

function faultsOf(
  {
    source,
    map,
    timezone,
    filename,
    url,
    overlap,
  }: { source: SourceName; overlap: string; map?: Record<string, string>; timezone: string; filename?: string; url?: string },
  from: number | null,
  to: number | null,
): Fault[] {
  const faults: Fault[] = []
  if (filename === undefined && url === undefined)
    faults.push({
      pointer: '/filename',
      code: 'required',
      message: m.filename_required(),
    })
  for (const name of Object.keys(map ?? {})) {
    if (fieldNames.some(field => field === name)) continue
    faults.push({ pointer: `/map/${name}`, code: 'unknown_field', message: m.map_of_ours({ fields: fieldNames }) })
  }
  if (map && Object.keys(map).length > 0 && source !== 'footfall')
    faults.push({ pointer: '/map', code: 'mismatch', message: m.map_of_footfall() })
  if (overlap === 'add' && sources[source].kind === 'aggregates')
    faults.push({ pointer: '/overlap', code: 'mismatch', message: m.totals_not_added() })
  if (!isZone(timezone)) faults.push({ pointer: '/timezone', code: 'invalid_format', message: m.not_a_zone() })
  if (from !== null && to !== null && to < from) faults.push({ pointer: '/to', code: 'too_small', message: m.to_before_from() })
  return faults
}
