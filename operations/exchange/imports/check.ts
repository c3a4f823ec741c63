/** Checks before an import starts: the file is complete, its source can read it, and its days are free. */
import { m } from './messages.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { JobFailure } from '../../../runtime/tasks/job.ts'
import { areApart, heldBy, holdings, isWithin } from '../../../storage/imported/held.ts'
import type { Db, Trx } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import type { ImportedRow } from '../../../storage/tables/imported-families.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import type { Files } from '../files/index.ts'
import { withChannel } from './channel-of-rows.ts'
import { fingerprintOf, hitInput } from './file-input.ts'
import { NO_LOG_LINE } from './log-lines.ts'
import { openArchive } from './sources/archive.ts'
import { NOT_JSON, type Recorded } from './record.ts'
import { sourceOf } from './sources/index.ts'
import { type Ignored, limited, type Omission, withOmissions } from './left-out.ts'
import type { TotalsRead } from './sources/source.ts'
import { removeTotals } from './undo.ts'

export interface Checked {
  readonly fingerprint: string
  readonly ignored: readonly Ignored[]
  /** Days of totals, both included; null for hits, which may have any day. */
  readonly days: { readonly first: number; readonly last: number } | null
  /** Dimensions of totals, as `imports.holds` has them. */
  readonly holds: string | null
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
        return { fingerprint: await fingerprintOf(archive), ignored: limited([...ignored, ...input.ignored]), days: null, holds: null }
      }
      let ignored: readonly Ignored[] = []
      const pieces = source.read(archive, each => {
        ignored = [...ignored, each]
      })
      const held = holdings()
      const days = await daysOf(pieces, {
        includes: day => isWanted(row, day) && day <= nowDay,
        onRow: each => held.add(withChannel(each)),
        onLeft(left) {
          ignored = withOmissions(ignored, left)
        },
      })
      return { fingerprint: await fingerprintOf(archive), ignored: limited(ignored), days, holds: held.written() }
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (error instanceof JobFailure) fail('invalid_state', error.sentence)
    if (error instanceof Error && error.constructor === Error) fail('invalid_state', error.message)
    throw error
  }
}

/** Reads the header and the first records. @throws Error if the source does not know the header, JobFailure if all of them are another format */
async function readHeader(pieces: AsyncGenerator<readonly Recorded[]>): Promise<void> {
  for await (const piece of pieces) {
    const [first] = piece
    if (first && 'fault' in first && piece.every(isAnotherFormat))
      throw new JobFailure('wrong_file', m.nothing_readable({ line: first.line, reason: first.fault }))
    return
  }
}

const isAnotherFormat = (each: Recorded): boolean => 'fault' in each && (each.fault.endsWith(NOT_JSON) || each.fault === NO_LOG_LINE)

/** Whether the import includes a day. */
export const isWanted = (row: Pick<ImportRow, 'from_day' | 'to_day'>, day: number): boolean =>
  day >= (row.from_day ?? -Infinity) && day <= (row.to_day ?? Infinity)

interface ReadDays {
  includes(day: number): boolean
  onRow(row: ImportedRow): void
  /** Receives what each piece leaves out. */
  onLeft(left: readonly (readonly Omission[])[]): void
}

/** Finds the first and the last day that the import includes; null if there is none. */
async function daysOf(pieces: AsyncGenerator<TotalsRead[]>, { includes, onRow, onLeft }: ReadDays): Promise<Checked['days']> {
  let [first, last] = [Infinity, -Infinity]
  for await (const piece of pieces) {
    onLeft(piece.map(read => ('rows' in read ? (read.left ?? []) : [])))
    for (const read of piece) {
      if ('fault' in read) continue
      for (const row of read.rows) {
        const { day } = row
        if (!includes(day)) continue
        onRow(row)
        first = Math.min(first, day)
        last = Math.max(last, day)
      }
    }
  }
  return first <= last ? { first, last } : null
}

/** Imports of the site that have data or are about to. */
const othersOf = (db: Db, { site_id, id }: ImportRow): Promise<ImportRow[]> =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('id', '<>', id)
    .where('dry_run', '=', 0)
    .where('removing', '=', 0)
    .where('status', 'in', ['pending', 'running', 'completed'])
    .execute()

/**
 * Checks that neither the file nor its days were imported before. Call it in the transaction that starts the import, with the
 * site locked.
 * @returns the days that an import of totals may have
 * @throws Failure `already_exists` for a file that was imported, `invalid_state` for days that are
 */
export async function checkFree(
  db: Db,
  { site, row }: { site: LiveSite; row: ImportRow },
  { fingerprint, days, holds }: Checked,
): Promise<Checked['days']> {
  const others = await othersOf(db, row)
  const same = others.find(other => other.fingerprint === fingerprint)
  if (same) fail('already_exists', m.imported_already({ id: same.id }))
  const { number } = site
  const journal = db.selectFrom('hit_imports').select('hits').where('site_id', '=', number).where('fingerprint', '=', fingerprint)
  const [finished] = await journal.where('finished_at', 'is not', null).execute()
  if (finished) fail('already_exists', m.imported_by_command())
  if (row.kind === 'hits' || !days) return days
  const rivals = await rivalsOf(db, others, { ...row, first_day: days.first, last_day: days.last, holds })
  if (rivals.length === 0) return days
  if (row.overlap === 'replace') {
    const wider = rivals.find(other => !isReplaceable(other, days))
    if (wider) fail('invalid_state', m.not_within({ id: wider.row.id }))
    return days
  }
  const taken = rivals.map(({ row }) => [row.first_day ?? 0, row.last_day ?? 0] as const).sort(([a], [b]) => a - b)
  const spans = freeSpans(taken, days)
  const [only, ...more] = spans
  if (row.overlap === 'skip' && only && more.length === 0) return only
  const free = spans.slice(0, 20).map(({ first, last }) => m.period({ from: dateOf(first), to: dateOf(last) }))
  const freePeriods = free.length === 0 ? m.no_day_free() : m.free_days({ periods: free })
  return fail('invalid_state', m.days_taken({ from: dateOf(days.first), to: dateOf(days.last), free: freePeriods }))
}

/** An import of totals with days of another one. */
interface Rival {
  readonly row: ImportRow
  /** Whether it has totals that the other one lacks. */
  readonly hasMore: boolean
}

/** Finds imports of totals that would count twice with this one. Files of one export with other families do not. */
async function rivalsOf(db: Db, others: readonly ImportRow[], row: ImportRow): Promise<Rival[]> {
  const own = await heldBy(db, { id: row.id, written: row.holds })
  const rivals: Rival[] = []
  for (const other of others) {
    if (other.kind !== 'aggregates' || other.first_day === null || other.last_day === null) continue
    if (other.first_day > (row.last_day ?? -Infinity) || other.last_day < (row.first_day ?? Infinity)) continue
    const held = await heldBy(db, { id: other.id, written: other.holds })
    if (other.source === row.source && areApart(own, held)) continue
    rivals.push({ row: other, hasMore: other.source === row.source && !isWithin(held, own) })
  }
  return rivals
}

const isReplaceable = ({ row: { first_day, last_day, status }, hasMore }: Rival, { first, last }: NonNullable<Checked['days']>) =>
  status === 'completed' && !hasMore && (first_day ?? 0) >= first && (last_day ?? 0) <= last

/** Deletes the imports that a completed import replaces, in its transaction, with the site locked. */
export async function removeReplaced(trx: Trx, row: ImportRow): Promise<void> {
  const { first_day, last_day } = row
  if (row.overlap !== 'replace' || row.dry_run === 1 || first_day === null || last_day === null) return
  for (const rival of await rivalsOf(trx, await othersOf(trx, row), row)) {
    if (!isReplaceable(rival, { first: first_day, last: last_day })) continue
    await removeTotals(trx, rival.row.id)
    await trx.deleteFrom('imports').where('id', '=', rival.row.id).execute()
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
