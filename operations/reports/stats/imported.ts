/**
 * Adds imported totals to counted ones, on the days before the first hit, in reports without filters.
 * The totals have only some dimensions and metrics, so each response says in `meta.imported` whether they are included.
 */
import { Type } from '@sinclair/typebox'
import { CalendarDay, Nullable, OneOf, type Static } from '../../../runtime/table/schema.ts'
import { hasImported, importedDays, type ImportedSums, importedValues } from '../../../storage/imported/read.ts'
import type { Db } from '../../../storage/store.ts'
import { dateOf, dayStart } from '../../../storage/calendar/zones.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Interval } from './time/interval.ts'
import type { Range } from './time/range.ts'

const REASONS = ['none_imported', 'filters', 'segment', 'interval', 'dimension', 'after_first_hit'] as const
export type Reason = (typeof REASONS)[number]

export const ImportedMeta = Type.Object(
  {
    included: Type.Boolean({ description: 'Whether these figures include imported history.' }),
    from: Nullable(CalendarDay(), { description: 'First day of the period with imported history.' }),
    to: Nullable(CalendarDay(), { description: 'Last day of the period with imported history.' }),
    reason: Nullable(OneOf(REASONS), {
      description:
        'Why it is not: there is none, filters or a segment apply, points or the period are shorter than days, it is not kept by this \
dimension or for this report, or the period begins after the first hit.',
    }),
  },
  { description: 'With `include_imported`: whether imported history was included.' },
)
export type ImportedMeta = Static<typeof ImportedMeta>

/** Days, both inclusive. */
interface Days {
  readonly fromDay: number
  readonly toDay: number
}

/** The imported history of a site, before the day of its first hit. */
export interface History extends Days {
  totals(days: Days): Promise<ReadonlyMap<number, ImportedSums>>
  values(dimension: string, days: Days): Promise<ReadonlyMap<string, ImportedSums>>
}

/** The imported history that a report can use, or the reason why it cannot. */
export type Imported = { readonly history: History } | { readonly reason: Reason }

/** @param firstDay the day of the first hit; null if there is none yet */
export async function historyOf(db: Db, site: LiveSite, firstDay: number | null): Promise<Imported> {
  const rows = await db
    .selectFrom('imports')
    .select(['id', 'first_day', 'last_day'])
    .where('site_id', '=', site.id)
    .where('kind', '=', 'aggregates')
    .where('status', '=', 'completed')
    .where('dry_run', '=', 0)
    .where('removing', '=', 0)
    .where('first_day', 'is not', null)
    .orderBy('first_day')
    .execute()
  const imports = rows.map(row => row.id)
  if (imports.length === 0) return { reason: 'none_imported' }
  const fromDay = Math.min(...rows.map(row => row.first_day ?? Infinity))
  const toDay = Math.min(Math.max(...rows.map(row => row.last_day ?? -Infinity)), (firstDay ?? Infinity) - 1)
  if (fromDay > toDay) return { reason: 'after_first_hit' }
  return {
    history: {
      fromDay,
      toDay,
      totals: days => importedDays(db, { imports, fromDay: days.fromDay, toDay: days.toDay }),
      values: (dimension, days) => importedValues(db, { imports, dimension, fromDay: days.fromDay, toDay: days.toDay }),
    },
  }
}

/** The part of a report's range that imported history covers. */
export interface Included {
  readonly history: History
  /** Its days in the period, and in the comparison; null for none. */
  readonly now: Days | null
  readonly before: Days | null
}

export interface ImportedScope {
  /** The history that the conditions allow; undefined unless it was requested. */
  readonly imported: Imported | undefined
  readonly range: Range
  readonly comparison: Range | null
  readonly site: LiveSite
}

/** The part of a report that may include imported history. */
export interface Part {
  readonly interval?: Interval
  readonly dimension?: string | null
  /** False for reports that cannot include it. */
  readonly able?: boolean
}

/** @returns null if the report does not include it; `meta` has the reason */
export function included(
  { imported, range, comparison, site: { timezone } }: ImportedScope,
  { interval, dimension, able = true }: Part = {},
): { readonly parts: Included | null; readonly meta: ImportedMeta | undefined } {
  if (!imported) return { parts: null, meta: undefined }
  const not = (reason: Reason) => ({ parts: null, meta: { included: false, from: null, to: null, reason } })
  if ('reason' in imported) return not(imported.reason)
  if (interval === 'hour' || interval === 'minute') return not('interval')
  if (!able || (dimension !== undefined && dimension !== null && !hasImported(dimension))) return not('dimension')
  const { history } = imported
  const whole = wholeDaysOf(timezone, range)
  if (!whole) return not('interval')
  const compared = comparison && wholeDaysOf(timezone, comparison)
  const [now, before] = [common(history, whole), compared && common(history, compared)]
  const shown = now ?? before
  if (!shown) return not('after_first_hit')
  return {
    parts: { history, now, before },
    meta: { included: true, from: dateOf(shown.fromDay), to: dateOf(shown.toDay), reason: null },
  }
}

/** Returns the days that a range contains in full. */
function wholeDaysOf(zone: string, { from, to, fromDay, toDay, elapsed }: Range): Days | null {
  const first = from <= dayStart(zone, fromDay) ? fromDay : fromDay + 1
  const last = elapsed || to >= dayStart(zone, toDay + 1) ? toDay : toDay - 1
  return first <= last ? { fromDay: first, toDay: last } : null
}

function common(a: Days, b: Days): Days | null {
  const days = { fromDay: Math.max(a.fromDay, b.fromDay), toDay: Math.min(a.toDay, b.toDay) }
  return days.fromDay <= days.toDay ? days : null
}
