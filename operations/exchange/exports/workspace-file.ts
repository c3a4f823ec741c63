/** Writes the file of a whole workspace (docs/moving.md). Everything is read while it is written, so memory use stays constant. */
import { Readable } from 'node:stream'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { readVersion } from '../../../runtime/settings/version.ts'
import { giveWay } from '../../../storage/system/event-loop.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { type CarriedTable, carriedSites, carriedTables } from '../../../storage/transfer/carried-tables.ts'
import { type CarriedRow, daysOfSite, readDay, rowsOfOwner } from '../../../storage/transfer/read-rows.ts'
import {
  daysPart,
  type Description,
  descriptionPart,
  FORMAT,
  FORMAT_VERSION,
  linesOfDay,
  partOf,
} from '../../../storage/transfer/workspace-format.ts'
import type { ExportPieces } from './export-files.ts'
import { leftOutOf } from './workspace-records.ts'

/** Ends of imports whose rows the file carries. */
const ENDED = ['completed', 'failed', 'cancelled']

interface Site {
  readonly id: string
  readonly number: number
  readonly kind: string
}

/** @param progressOf takes the number of steps; its result takes the rows so far after each, and throws to end the run */
export async function* workspacePieces(
  { store, now }: Pick<TaskContext, 'store' | 'now'>,
  row: ExportRow,
  progressOf: (steps: number) => (rows: number) => Promise<void>,
): ExportPieces {
  const db = store.read
  const sites = await sitesOf(db, row.workspace_id)
  const imports = await importsOf(db, sites)
  const days: { site: number; day: number }[] = []
  for (const { number } of sites) for (const { day } of await daysOfSite(db, number)) days.push({ site: number, day })
  const step = progressOf(days.length + carriedTables.length + 1)
  let rows = 0

  const ownersOf = ({ by }: CarriedTable): readonly (string | number)[] => {
    if (by === 'workspace_id') return [row.workspace_id]
    if (by === 'import_id') return [...imports]
    return by === 'number' ? sites.map(({ number }) => number) : sites.map(({ id }) => id)
  }
  async function* linesOfTable(table: CarriedTable): AsyncGenerator<Buffer> {
    const carried = rowFilter(table, { sites, imports })
    for (const owner of ownersOf(table)) {
      for await (const page of rowsOfOwner(db, table, owner)) {
        const lines = page.filter(carried).map(each => `${JSON.stringify(table.columns.map(name => each[name] ?? null))}\n`)
        rows += lines.length
        yield Buffer.from(lines.join(''))
        await giveWay()
      }
    }
    await step(rows)
  }
  async function* linesOfDays(): AsyncGenerator<Buffer> {
    for (const { site, day } of days) {
      const read = await readDay(store, site, day)
      if (read) {
        yield Buffer.from(`${JSON.stringify({ site, ...read.day })}\n`)
        for (const { table, count, fields } of linesOfDay(read.rows)) {
          rows += count
          yield Buffer.from(`${JSON.stringify({ site, day, [table]: fields })}\n`)
          await giveWay()
        }
      }
      await step(rows)
    }
  }

  const { ZipFile } = (await import('yazl')).default
  const zip = new ZipFile()
  const out = Readable.from(zip.outputStream)
  zip.on('error', (error: Error) => out.destroy(error))
  const options = { mtime: new Date(now()) }
  zip.addBuffer(Buffer.from(JSON.stringify(await descriptionOf(db, row, now()))), descriptionPart, options)
  // Texts come after the days: each id that a day has is then among them.
  const ordered = [
    carriedSites,
    ...carriedTables.filter(({ name }) => name !== 'dict'),
    undefined,
    ...carriedTables.filter(({ name }) => name === 'dict'),
  ]
  for (const table of ordered) {
    const [name, lines] = table ? [partOf(table.name), () => linesOfTable(table)] : [daysPart, linesOfDays]
    zip.addReadStreamLazy(name, options, give => give(null, Readable.from(lines())))
  }
  zip.end()
  for await (const piece of out) yield piece
  return rows
}

/** Sites and listed groups; a site whose import has not ended is none yet. */
async function sitesOf(db: Db, workspaceId: string): Promise<Site[]> {
  const all = await db
    .selectFrom('sites')
    .select(['id', 'number', 'kind', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .where('kind', '<>', 'all')
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  return all.filter(({ kind, domain }) => kind === 'group' || domain !== null)
}

async function importsOf(db: Db, sites: readonly Site[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const { id } of sites) {
    const ended = db.selectFrom('imports').select('id').where('site_id', '=', id).where('removing', '=', 0).where('status', 'in', ENDED)
    for (const each of await ended.orderBy('id').execute()) ids.add(each.id)
  }
  return ids
}

/** Rows that another row of the file would lack: of a site or import that it does not carry. */
function rowFilter({ name }: CarriedTable, { sites, imports }: { sites: readonly Site[]; imports: ReadonlySet<string> }) {
  const ids = new Set(sites.map(({ id }) => id))
  const tests: Partial<Record<CarriedTable['name'], (row: CarriedRow) => boolean>> = {
    sites: ({ id }) => ids.has(String(id)),
    imports: ({ id }) => imports.has(String(id)),
    group_sites: ({ group_id }) => ids.has(String(group_id)),
    alerts: ({ site_id, uptime_check_id }) => uptime_check_id === null && (site_id === null || ids.has(String(site_id))),
  }
  return tests[name] ?? (() => true)
}

async function descriptionOf(db: Db, row: ExportRow, now: number): Promise<Description> {
  const { id, name } = await db.selectFrom('workspaces').select(['id', 'name']).where('id', '=', row.workspace_id).executeTakeFirstOrThrow()
  const { version, schema } = readVersion()
  return {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    version,
    schema,
    made_at: now,
    workspace: { id, name },
    columns: Object.fromEntries([carriedSites, ...carriedTables].map(table => [table.name, [...table.columns]])),
    left_out: Object.fromEntries(leftOutOf(row).map(({ what, count }) => [what, count])),
  }
}
