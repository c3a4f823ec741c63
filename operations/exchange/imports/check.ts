/** Checks before an import starts: the file is complete, its source can read it, and its days are free. */
import { m } from './messages.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { JobFailure } from '../../../runtime/tasks/job.ts'
import type { Db } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import type { Files } from '../files/index.ts'
import { fingerprintOf, hitInput } from './file-input.ts'
import { openArchive } from './sources/archive.ts'
import { sourceOf } from './sources/index.ts'
import { type Ignored, limited, type Omission, withOmissions } from './left-out.ts'
import type { TotalsRead } from './sources/source.ts'

export interface Checked {
  readonly fingerprint: string
  readonly ignored: readonly Ignored[]
  /** Days of totals, both included; null for hits, which may have any day. */
  readonly days: { readonly first: number; readonly last: number } | null
}

/** Reads the whole file once. @throws Failure `invalid_state` with the reason */
export async function checkFile(files: Files, row: ImportRow, nowDay: number): Promise<Checked> {
  const size = await files.sizeOf(row.id)
  if (size === undefined) fail('invalid_state', m.not_uploaded_yet())
  if (row.bytes !== null && size < row.bytes) {
    fail('invalid_state', m.partly_uploaded({ here: size, all: row.bytes }))
  }
  const source = sourceOf(row.source)
  if (!source) throw new Error(`no source ${row.source}`)
  try {
    const archive = await openArchive(files, row.id, row.filename)
    try {
      if (source.kind === 'hits') {
        const input = hitInput(archive, source, JSON.parse(row.map))
        await readHeader(input.records(0))
        const ignored: Ignored[] = []
        await source.beside?.(archive, each => ignored.push(each))
        return { fingerprint: await fingerprintOf(archive), ignored: limited([...ignored, ...input.ignored]), days: null }
      }
      let ignored: readonly Ignored[] = []
      const pieces = source.read(archive, each => {
        ignored = [...ignored, each]
      })
      const days = await daysOf(pieces, row, nowDay, left => {
        ignored = withOmissions(ignored, left)
      })
      return { fingerprint: await fingerprintOf(archive), ignored: limited(ignored), days }
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (error instanceof JobFailure) fail('invalid_state', error.sentence)
    if (error instanceof Error && error.constructor === Error) fail('invalid_state', error.message)
    throw error
  }
}

/** Reads the header, and fails if the source does not know it. */
async function readHeader(records: AsyncGenerator<unknown>): Promise<void> {
  for await (const _ of records) break
}

/** Whether the import includes a day. */
export const isWanted = (row: Pick<ImportRow, 'from_day' | 'to_day'>, day: number): boolean =>
  day >= (row.from_day ?? -Infinity) && day <= (row.to_day ?? Infinity)

/** Finds the first and the last day that the import includes; null if there is none. @param onLeft receives what each piece leaves out */
async function daysOf(
  pieces: AsyncGenerator<TotalsRead[]>,
  row: ImportRow,
  nowDay: number,
  onLeft: (left: readonly (readonly Omission[])[]) => void,
): Promise<Checked['days']> {
  let [first, last] = [Infinity, -Infinity]
  for await (const piece of pieces) {
    onLeft(piece.map(read => ('rows' in read ? (read.left ?? []) : [])))
    for (const read of piece) {
      if ('fault' in read) continue
      for (const { day } of read.rows) {
        if (!isWanted(row, day) || day > nowDay) continue
        first = Math.min(first, day)
        last = Math.max(last, day)
      }
    }
  }
  return first <= last ? { first, last } : null
}

/** The days that an import of totals may have, and the imports that it replaces. */
interface Free {
  readonly days: Checked['days']
  readonly replaced: readonly string[]
}

/**
 * Checks that neither the file nor its days were imported before. Call it in the transaction that starts the import, with the
 * site locked.
 * @throws Failure `already_exists` for a file that was imported, `invalid_state` for days that are
 */
export async function checkFree(db: Db, { site, row }: { site: LiveSite; row: ImportRow }, { fingerprint, days }: Checked): Promise<Free> {
  const others = await db
    .selectFrom('imports')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('id', '<>', row.id)
    .where('dry_run', '=', 0)
    .where('removing', '=', 0)
    .where('status', 'in', ['pending', 'running', 'completed'])
    .execute()
  const same = others.find(other => other.fingerprint === fingerprint)
  if (same) fail('already_exists', m.imported_already({ id: same.id }))
  const { number } = site
  const journal = db.selectFrom('hit_imports').select('hits').where('site_id', '=', number).where('fingerprint', '=', fingerprint)
  const [finished] = await journal.where('finished_at', 'is not', null).execute()
  if (finished) fail('already_exists', m.imported_by_command())
  if (row.kind === 'hits' || !days) return { days, replaced: [] }
  const taken = others
    .flatMap(({ kind, first_day, last_day }) =>
      kind === 'aggregates' && first_day !== null && last_day !== null ? [[first_day, last_day] as const] : [],
    )
    .sort(([a], [b]) => a - b)
  const isTaken = (span: ImportRow) => (span.first_day ?? Infinity) <= days.last && (span.last_day ?? -Infinity) >= days.first
  const replaced = others.filter(other => other.kind === 'aggregates' && isTaken(other))
  if (replaced.length === 0) return { days, replaced: [] }
  if (row.overlap === 'replace') {
    const wider = replaced.find(
      ({ first_day, last_day, status }) => status !== 'completed' || (first_day ?? 0) < days.first || (last_day ?? 0) > days.last,
    )
    if (wider) fail('invalid_state', m.not_within({ id: wider.id }))
    return { days, replaced: replaced.map(({ id }) => id) }
  }
  const spans = freeSpans(taken, days)
  const [only, ...more] = spans
  if (row.overlap === 'skip' && only && more.length === 0) return { days: only, replaced: [] }
  {
    const free = spans.slice(0, 20).map(({ first, last }) => m.period({ from: dateOf(first), to: dateOf(last) }))
    const freePeriods = free.length === 0 ? m.no_day_free() : m.free_days({ periods: free })
    return fail('invalid_state', m.days_taken({ from: dateOf(days.first), to: dateOf(days.last), free: freePeriods }))
  }
}

/** Lists the periods of `days` between the sorted `taken` periods. */
function freeSpans(
  taken: readonly (readonly [number, number])[],
  days: { first: number; last: number },
): { first: number; last: number }[] {
  const free: { first: number; last: number }[] = []
  let from = days.first
  for (const [first, last] of [...taken, [days.last + 1, days.last + 1] as const]) {
    if (first > from) free.push({ first: from, last: Math.min(first - 1, days.last) })
    from = Math.max(from, last + 1)
    if (from > days.last) break
  }
  return free
}
