/** Imports records of hits, one batch in each transaction, continuing after the last run. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { m } from './messages.ts'
import { type Sentence, storedSentence } from '../../../runtime/texts/message.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import type { CardinalityLimits } from '../../../storage/hits/cardinality.ts'
import type { NewHit, Outcome, RevenueFault } from '../../../storage/hits/new-hit.ts'
import { targetMs } from '../../../storage/moved-days/ranges.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'
import { isTurnOver } from '../../../storage/system/event-loop.ts'
import { dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { dropReasons, type JsonObject, openGeo, openNetworks } from '../../sites/collection/index.ts'
import { completeImport, type Ending, failImport } from './finish.ts'
import type { FieldMap } from './fields.ts'
import { advanceImport, beginImport, type ImportKey, type Refused, refusalsOf, type Step } from './journal.ts'
import type { Names } from './names/names.ts'
import { claimedTimeReader, hitReader, type ReadFor, type ReadHit, timeReader } from './read-hit.ts'
import { type Ignored, isBlank, type LeaveOut, type Omission } from './left-out.ts'
import type { Recorded } from './record.ts'
import { isNothingTaken, nothingTaken } from './nothing-taken.ts'

/** Decisions of an import about records, made without storing them. */
export interface Reading {
  readonly site: ReadFor & Ending['site']
  readonly map: Partial<FieldMap>
  /** Time zone of times without an offset, an IANA name. */
  readonly zone: string
  /** Older hits are refused, days; 0: no limit. */
  readonly retentionDays: number
  /** Start and end of the imported range, epoch ms. Other hits are skipped. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Days of the site that are skipped. */
  readonly left?: ReadonlySet<number> | undefined
  /** A database file with cities; the bundled one has countries only. */
  readonly geoDatabase: string | undefined
  /** A database file with networks; the bundled table has the well-known ones. */
  readonly networkDatabase?: string | undefined
  /** Converts a record of another product to Footfall's fields. Empty if it is skipped; a text if it is refused. */
  readonly convert?: ((record: JsonObject, leaveOut: LeaveOut) => readonly JsonObject[] | string) | null
  /** The field of a record that lists its hits, if it lists several. */
  readonly list?: string | undefined
  /** Columns that are left out, which are known once the first record is read. */
  readonly unread?: readonly Ignored[]
  /** The names of the product; defaults to those that mean the same in every product. */
  readonly names?: Names | undefined
  now(): number
}

export interface HitImport extends Reading, Pick<Ending, 'emitIn'> {
  /** SHA-256 of the uncompressed content, hex. */
  readonly fingerprint: string
  /** The options that decide how the file is read. All parts of a file are imported with the same options. */
  readonly how: string
  /** @param skip number of records to skip at the beginning */
  records(skip: number): AsyncIterable<readonly Recorded[]>
  readonly limits: CardinalityLimits
  randomBytes(n: number): Buffer
  /** Finds the days to leave out, before anything is stored. @param row the journal, which has records of earlier runs @throws Error for days that are refused */
  settle?(row: HitImportRow): Promise<ReadonlySet<number> | undefined>
  /** Called before hits of these days are stored. */
  ahead?(days: ReadonlySet<number>): Promise<void>
  /** Called after each transaction, with the journal. */
  onStep(row: HitImportRow): void
  /** Further writes in the transaction of a piece. */
  alongside?(trx: Trx, piece: Piece): Promise<void>
  /** Runs in the transaction that ends the import. Defaults to sending the event. */
  complete?(store: Store, ending: Ending): Promise<HitImportRow>
  /** Whether a failure sends an event. Defaults to true. */
  readonly tellsFailure?: boolean
  /** When aborted, the current transaction finishes, and the next run imports the remaining records. */
  readonly signal: AbortSignal
}

export interface RefusedRecord extends Refused {
  readonly recorded: Recorded
}

/** Counts of what was stored of a piece of the file. */
export interface Piece {
  readonly refused: readonly RefusedRecord[]
  /** The journal after it. */
  readonly row: HitImportRow
  /** Days that changed. */
  readonly days: readonly number[]
  /** Parts of its rows that are left out. */
  readonly left: readonly (readonly Omission[])[]
}

export interface ImportResult {
  /** The journal of the whole file, over all runs. */
  readonly row: HitImportRow
  /** The first refused lines, in order. */
  readonly refused: readonly Refused[]
  /** Whether an earlier run had finished the file. */
  readonly before: boolean
  /** Why the import failed, if rows were refused and none was imported. */
  readonly failure?: Sentence | undefined
}

/** @throws Error with a one-line message; stored hits stay, and the next run continues after them */
export async function importHits(store: Store, options: HitImport): Promise<ImportResult> {
  const { site, fingerprint, now, signal, complete = completeImport, tellsFailure = true } = options
  const key: ImportKey = { site: site.number, fingerprint }
  const ending: Ending = { key, site, emitIn: options.emitIn, now }
  let row = await beginImport(store, { key, options: options.how, now: now() })
  if (row.finished_at !== null) return { row, refused: await refusalsOf(store.read, key), before: true }

  let refused: readonly Refused[] = []
  let failure: Sentence | undefined
  try {
    const left = options.settle ? await options.settle(row) : options.left
    for await (const step of steps(store, { options: { ...options, left }, key, from: row })) row = step
    refused = await refusalsOf(store.read, key)
    const leavesDays = options.from !== undefined || options.to !== undefined || (left !== undefined && left.size > 0)
    const counts = { read: row.records, taken: row.hits, refused: row.refused }
    if (!options.complete && isNothingTaken(counts, leavesDays))
      failure = nothingTaken(
        counts,
        refused.map(({ reason }) => storedSentence(reason)),
      )
    if (!signal.aborted) row = await complete(store, { ...ending, failure })
  } catch (error) {
    // If the database failed, this fails too. Throw the first error.
    if (tellsFailure) await failImport(store, { ending, before: row, error }).catch(() => {})
    throw error
  }
  if (!signal.aborted) await forgetVisitors(store, now())
  return { row, refused, before: false, failure: signal.aborted ? undefined : failure }
}

/** Imports the file from `from` on, until it ends or is aborted. @returns the journal after each transaction */
async function* steps(
  store: Store,
  { options, key, from }: { options: HitImport; key: ImportKey; from: HitImportRow },
): AsyncGenerator<HitImportRow> {
  const { now, ahead, alongside, signal } = options
  let row = from
  const read = await lineReader(options)
  const put = openBulk(store, options)
  const pace = paceOf(store)

  const batched = batches(options, { skip: row.records, read, pace })
  // SQLite stores in this thread, so reading ahead would only make its transactions longer.
  for await (const lines of store.isShared ? oneAhead(batched) : batched) {
    await ahead?.(new Set(lines.flatMap(({ hits }) => hits.map(({ zone, at }) => localDay(zone, at).day))))
    if (signal.aborted) return
    const [began, before, after] = [performance.now(), row, { row }]
    await put(
      lines.flatMap(({ hits }) => hits),
      async (trx, outcomes) => {
        const step = stepOf(lines, outcomes)
        after.row = await advanceImport(trx, {
          key,
          before,
          step: alongside ? { ...step, refused: [] } : step,
          now: now(),
          refused: step.refused.length,
        })
        await alongside?.(trx, { refused: step.refused, row: after.row, days: daysOf(lines, outcomes), left: lines.map(line => line.left) })
      },
    )
    pace.took(performance.now() - began)
    row = after.row
    yield row
    options.onStep(row)
  }
}

/** Reads the next item while the caller is busy with the last one. */
async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (let next = items.next(); ; ) {
      const { value, done } = await next
      if (done) return
      next = items.next()
      next.catch(() => {}) // thrown once the caller asks for it
      yield value
    }
  } finally {
    await items.return(undefined)
  }
}

/** Longest turn of the event loop in which lines are read, ms. A hit that comes meanwhile takes several turns. */
export const TURN_MS = 4

/** The lines of each transaction. */
async function* batches(
  { records, signal }: HitImport,
  { skip, read, pace }: { skip: number; read: (recorded: Recorded) => Line; pace: Pace },
): AsyncGenerator<readonly Line[]> {
  let lines: Line[] = []
  for await (const piece of records(skip)) {
    if (signal.aborted) return
    for (const recorded of piece) {
      if (isTurnOver(TURN_MS)) await nextTurn()
      lines.push(read(recorded))
    }
    if (lines.length < pace.lines()) continue
    yield lines
    lines = []
  }
  if (lines.length > 0 && !signal.aborted) yield lines
}

interface Pace {
  /** How many lines a transaction has at least. */
  lines(): number
  took(ms: number): void
}
const [MIN_LINES, MAX_LINES] = [1, 1_024]

/** Adapts the number of lines in a transaction to the time for which incoming hits may wait. */
function paceOf(store: Store): Pace {
  let lines = MIN_LINES
  return {
    lines: () => lines,
    took(ms) {
      if (ms < targetMs(store) / 2) lines = Math.min(MAX_LINES, lines * 2)
      else if (ms > targetMs(store)) lines = Math.max(MIN_LINES, lines / 2)
    },
  }
}

/** A line of the file and its hits. */
export interface Line<Hit = NewHit> {
  readonly line: number
  /** Empty if the line is refused or skipped. */
  readonly hits: readonly Hit[]
  /** The reason of the refusal; '' if there is none. */
  readonly fault: Sentence
  /** Parts of it that are left out. */
  readonly left: readonly Omission[]
  readonly recorded: Recorded
}

/** Reasons for which an amount of a stored hit is left out. */
const moneyFaults: Readonly<Record<RevenueFault, Sentence>> = { other_currency: m.other_currency(), invalid_revenue: m.invalid_revenue() }

/** Reads a line, by the rules for collected hits. */
export async function lineReader(reading: Reading): Promise<(recorded: Recorded) => Line> {
  const { site, map, zone, names } = reading
  const [placeOf, networkOf] = [await openGeo(reading.geoDatabase), await openNetworks(reading.networkDatabase)]
  const { converted, lineOf } = linesWith(reading, hitReader(site, { map, zone, names, placeOf, networkOf }))
  return recorded => lineOf(converted(recorded))
}

/** All that is read of a hit to know its day. */
export type TimedHit = Pick<NewHit, 'at' | 'kind'> & Partial<Pick<NewHit, 'revenueFault'>>

/** A line of which only the times of its hits are read, which is faster. */
export interface TimedLine {
  /** The time of its hit, if it has one and is imported; undefined if that is not known before the line is checked. */
  readonly at: number | undefined
  /** Checks the line. @returns the hits that are imported */
  hits(): readonly TimedHit[]
}

export function lineTimesReader(reading: Omit<Reading, 'geoDatabase'>): (recorded: Recorded) => TimedLine {
  const { converted, lineOf } = linesWith<TimedHit>(reading, timeReader(reading.site, reading))
  const timeOf = claimedTimeReader(reading)
  return recorded => {
    const found = converted(recorded)
    const [only, ...more] = found.records
    return { at: only && more.length === 0 ? timeOf(only) : undefined, hits: () => lineOf(found).hits }
  }
}

/** A line with its records in our fields; or the reason of its refusal. */
interface ConvertedLine {
  readonly recorded: Recorded
  readonly records: readonly JsonObject[]
  readonly fault: Sentence
  readonly left: Omission[]
}

/** @returns the two steps of reading a line. Lines are converted in their order and once, as a source may remember earlier ones. */
function linesWith<Hit extends TimedHit>(
  { site, now, convert, list, unread = [], from = -Infinity, to = Infinity, left: days, retentionDays }: Omit<Reading, 'geoDatabase'>,
  read: (record: JsonObject) => ReadHit<Hit>,
): { converted(recorded: Recorded): ConvertedLine; lineOf(converted: ConvertedLine): Line<Hit> } {
  const oldest = oldestKept(site.timezone, retentionDays, now())

  return {
    converted(recorded) {
      const refused = (fault: Sentence): ConvertedLine => ({ recorded, records: [], fault, left: [] })
      if ('fault' in recorded) return refused(recorded.fault)
      const { record } = recorded
      const left: Omission[] = unread.filter(({ what }) => !isBlank(record, what))
      const records = convert ? convert(record, (what, why) => left.push({ what, why })) : [record]
      return typeof records === 'string' ? refused(records) : { recorded, records, fault: '', left }
    },
    lineOf({ recorded, records, fault: faultOfLine, left }) {
      const { line } = recorded
      const refused = (fault: Sentence): Line<Hit> => ({ line, hits: [], fault, left: [], recorded })
      if (faultOfLine !== '') return refused(faultOfLine)
      const hits: Hit[] = []
      let fault: Sentence = ''
      let isSkipped = false
      for (const each of records) {
        const result = read(each)
        const [hit] = 'fault' in result ? [] : result.hits
        const faultOfHit = 'fault' in result ? result.fault : hit && hit.at < oldest ? m.too_old() : ''
        if (!hit || faultOfHit !== '' || 'fault' in result) {
          if (list === undefined) return refused(faultOfHit)
          if (fault === '') fault = faultOfHit
          left.push({ what: list, why: faultOfHit })
        } else if (hit.at < from || hit.at >= to || (days && days.size > 0 && days.has(localDay(site.timezone, hit.at).day)))
          isSkipped = true
        else {
          if (hit.revenueFault) left.push({ what: 'revenue', why: moneyFaults[hit.revenueFault] })
          hits.push(...result.hits)
        }
      }
      if (hits.length > 0 || fault === '') return { line, hits, fault: '', left: isSkipped && hits.length === 0 ? [] : left, recorded }
      return isSkipped ? { line, hits, fault: '', left: [], recorded } : refused(fault)
    },
  }
}

/** A line counts as imported if its main hit is: a refused measurement does not refuse the line. */
function stepOf(lines: readonly Line[], outcomes: readonly Outcome[]): Step & { readonly refused: readonly RefusedRecord[] } {
  const refused: RefusedRecord[] = []
  let [next, hits, moneyless] = [0, 0, 0]
  for (const each of lines) {
    const outcome = outcomes[next]
    next += each.hits.length
    const { line, recorded } = each
    if (each.fault !== '') refused.push({ line, reason: each.fault, recorded })
    else if (each.hits.length === 0) continue
    else if (outcome?.stored) {
      hits++
      if (each.hits[0]?.revenueFault) moneyless++
    } else refused.push({ line, reason: dropReasons[outcome?.reason ?? 'invalid'](), recorded })
  }
  return { records: lines.length, hits, moneyless, refused }
}

/** Vitals and clicks without a visit also change their day. */
function daysOf(lines: readonly Line[], outcomes: readonly Outcome[]): number[] {
  const days = new Set<number>()
  for (const [i, hit] of lines.flatMap(line => line.hits).entries()) {
    const outcome = outcomes[i]
    if (outcome?.stored) days.add(outcome.visit?.day ?? localDay(hit.zone, hit.at).day)
  }
  return [...days].sort((a, b) => a - b)
}

function oldestKept(zone: string, days: number, now: number): number {
  return days === 0 ? -Infinity : dayStart(zone, localDay(zone, now).day - days)
}
