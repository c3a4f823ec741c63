/**
 * Stores results of probes: the result, the state of the location and of the check, the incident and its event, in one
 * transaction. Results of several checks come together; each check is locked while it is changed.
 */
import type { Dialect } from '../../../storage/dialects/dialect.ts'
import type { Db } from '../../../storage/store.ts'
import type { UptimeCheckRow, UptimeLocationRow } from '../../../storage/tables/index.ts'
import { beginPeriod } from './periods.ts'
import { lockChecks } from './lock.ts'
import { keepIncident, type Recording } from './incidents.ts'
import { maintenanceSince } from '../../reports/availability/index.ts'
import type { ErrorCounts, Location, Result } from './location.ts'
import { watch } from './watch.ts'
import { grouped } from '../../../storage/values/grouped.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export interface CheckResult extends Result {
  readonly checkNumber: number
  /** Set by the service's own prober: the claim under which it probed the check. Recording the result releases the claim. */
  readonly claim?: Claim
}
export interface Claim {
  /**
   * The value that the claim set. If the check now has another value, it was edited, or another worker has claimed it. If the
   * lease has expired, the process was suspended in the meantime, and its results say nothing about the target.
   */
  readonly leasedUntil: number | null
  /** Columns to set with the release: facts that the probe found, and the next due time. */
  columns(check: UptimeCheckRow, location: Location | undefined): Partial<UptimeCheckRow>
}

/** The outcome of one result. */
export type Outcome = 'accepted' | 'not_found' | 'paused' | 'outdated' | 'duplicate'

/** @param db a transaction @returns an outcome for each result, in order */
export async function recordResults(
  db: Db,
  { dialect, recording, results }: { dialect: Dialect; recording: Recording; results: readonly CheckResult[] },
): Promise<Outcome[]> {
  const numbers = [...new Set(results.map(({ checkNumber }) => checkNumber))]
  if (numbers.length === 0) return []
  const locked = await lockChecks(db, dialect).selectAll().where('number', 'in', numbers).execute()
  const checks = new Map(locked.map(check => [check.number, check]))

  const refusals = results.map(each => refusal(checks.get(each.checkNumber), each, recording.now))
  const stored = await storeResults(
    db,
    results.filter((_, i) => refusals[i] === undefined),
  )
  // A key is deleted with its first result, so a second result with the key in this batch is a duplicate.
  const outcomes = results.map((each, i) => refusals[i] ?? (stored.delete(keyOf(each)) ? 'accepted' : 'duplicate'))

  const accepted = grouped(
    results.filter((_, i) => outcomes[i] === 'accepted'),
    ({ checkNumber }) => checkNumber,
  )
  // Subscribers to these events lock rows by site, so process checks in the order of their sites, too.
  const siteOf = (number: number) => checks.get(number)?.site_id ?? ''
  const bySite = [...accepted].sort(([one], [other]) => siteOf(one).localeCompare(siteOf(other), 'en'))
  await advance(db, { recording, checks, accepted: new Map(bySite) })
  return outcomes
}

function refusal(check: UptimeCheckRow | undefined, { at, claim }: CheckResult, now: number): Outcome | undefined {
  if (!check) return 'not_found'
  if (check.status === 'paused') return 'paused'
  const isLost = claim && (claim.leasedUntil !== check.leased_until || (claim.leasedUntil ?? 0) < now)
  return at < check.watched_since || isLost ? 'outdated' : undefined
}

type Key = Pick<CheckResult, 'checkNumber' | 'location' | 'at'>
const keyOf = ({ checkNumber, location, at }: Key) => `${checkNumber} ${location} ${at}`

/** @returns the keys of the results that were new */
async function storeResults(db: Db, results: readonly CheckResult[]): Promise<Set<string>> {
  if (results.length === 0) return new Set()
  const rows = await db
    .insertInto('uptime_results')
    .values(
      results.map(({ checkNumber, location, at, ok, ms }) => ({
        check_number: checkNumber,
        location,
        span: 0,
        at,
        probes: 1,
        failures: Number(!ok),
        timed: Number(ok && ms !== null),
        total_ms: ok && ms !== null ? ms : 0,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning(['check_number', 'location', 'at'])
    .execute()
  return new Set(rows.map(({ check_number, location, at }) => keyOf({ checkNumber: check_number, location, at })))
}

/** How far back maintenance is read, ms. After its end, a check may be down without an incident until its next probe, a day at most. */
const recentMs = 2 * DAY_MS

interface Advance {
  readonly recording: Recording
  readonly checks: ReadonlyMap<number, UptimeCheckRow>
  readonly accepted: ReadonlyMap<number, readonly CheckResult[]>
}

async function advance(db: Db, { recording, checks, accepted }: Advance): Promise<void> {
  const numbers = [...accepted.keys()]
  if (numbers.length === 0) return
  const rows = await db.selectFrom('uptime_locations').selectAll().where('check_number', 'in', numbers).execute()
  const locations = grouped(rows, ({ check_number }) => check_number)
  const incidents = await db
    .selectFrom('uptime_incidents')
    .selectAll()
    .where('check_number', 'in', numbers)
    .where('resolved_at', 'is', null)
    .execute()
  const open = new Map(incidents.map(incident => [incident.check_number, incident]))
  const maintenanceOf = await maintenanceSince(db, numbers, recording.now - recentMs)

  const nextChecks: UptimeCheckRow[] = []
  const nextLocations: UptimeLocationRow[] = []
  for (const [number, results] of accepted) {
    const check = checks.get(number)
    if (!check) continue
    const known = new Map((locations.get(number) ?? []).map(row => [row.location, fromRow(row)]))
    const watched = watch({ check, known, results: [...results].sort((a, b) => a.at - b.at), now: recording.now })
    const next = { ...check, ...watched.check }
    for (const { claim, location } of results) {
      if (claim) Object.assign(next, claim.columns(next, watched.locations.get(location)))
    }
    for (const change of watched.happened) {
      if (change.to !== 'same') await beginPeriod(db, number, { started_at: change.at, status: change.to })
    }
    await keepIncident(db, {
      recording,
      check: next,
      open: open.get(number),
      happened: watched.happened,
      maintenance: maintenanceOf(number),
    })
    nextChecks.push(next)
    for (const each of watched.locations.values()) {
      if (known.get(each.location) !== each) nextLocations.push(toRow(number, each))
    }
  }
  await storeChecks(db, nextChecks)
  await storeLocations(db, nextLocations)
}

const changedColumns = [
  'status',
  'status_since',
  'last_checked_at',
  'last_response_ms',
  'next_check_at',
  'leased_until',
  'ssl_expires_at',
  'ssl_issuer',
] as const satisfies (keyof UptimeCheckRow)[]

/** Updates all rows in one statement: an upsert in which every row conflicts with itself. */
async function storeChecks(db: Db, rows: readonly UptimeCheckRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('uptime_checks')
    .values([...rows])
    .onConflict(conflict =>
      conflict
        .column('number')
        .doUpdateSet(({ ref }) => Object.fromEntries(changedColumns.map(column => [column, ref(`excluded.${column}`)]))),
    )
    .execute()
}

async function storeLocations(db: Db, rows: readonly UptimeLocationRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('uptime_locations')
    .values([...rows])
    .onConflict(conflict =>
      conflict.columns(['check_number', 'location']).doUpdateSet(({ ref }) => ({
        state: ref('excluded.state'),
        ok: ref('excluded.ok'),
        streak: ref('excluded.streak'),
        streak_since: ref('excluded.streak_since'),
        errors: ref('excluded.errors'),
        last_at: ref('excluded.last_at'),
      })),
    )
    .execute()
}

function fromRow({ location, state, ok, streak, streak_since, errors, last_at }: UptimeLocationRow): Location {
  const counts = JSON.parse(errors) as ErrorCounts // written below
  return { location, state, ok: ok === 1, streak, since: streak_since, errors: counts, lastAt: last_at }
}

function toRow(check_number: number, { ok, since, errors, lastAt, ...rest }: Location): UptimeLocationRow {
  return { check_number, ...rest, ok: Number(ok), streak_since: since, errors: JSON.stringify(errors), last_at: lastAt }
}
