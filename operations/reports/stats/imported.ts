/**
 * Adds imported totals to counted ones, on the days before the first hit, in reports without filters.
 * The totals have only some dimensions and metrics, so each response says in `meta.imported` whether they are included.
 */
import { Type } from '@sinclair/typebox'
import { CalendarDay, Nullable, OneOf, type Static } from '../../../runtime/table/schema.ts'
import { ALL, type Held, heldBy, holds } from '../../../storage/imported/held.ts'
import {
  importedDays,
  type ImportedDays,
  type ImportedSums,
  importedValues,
  joinedSums,
  unknownSums,
} from '../../../storage/imported/read.ts'
import { firstVisit } from '../../../storage/hits/first-and-last-visit.ts'
import type { Db } from '../../../storage/store.ts'
import { dateOf, dayStart } from '../../../storage/calendar/zones.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Interval } from './time/interval.ts'
import type { Range } from './time/range.ts'
import { m } from './messages.ts'
import type { Note } from './report-notes.ts'
import { dayTerm, fieldTerm } from '../../../runtime/texts/message.ts'

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
dimension or for this report, or the period has no day with imported history.',
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

/** The imported history of a site that has totals of a dimension, before the day of the site's first hit. */
export interface History extends Days {
  totals(days: Days): Promise<ReadonlyMap<number, ImportedSums>>
  values(days: Days): Promise<ReadonlyMap<string, ImportedSums>>
}

/** The imported history that a report can use, or the reason why it cannot. */
export interface Imported {
  /** All of it; null if there is none. */
  readonly days: Days | null
  /** Whether the site has any, also after the first hit. */
  readonly isThere: boolean
  /** Why conditions leave it out. */
  readonly reason: Reason | null
  /** The history with totals of a dimension (`ALL`: of all visits); null if no import has them. */
  of(dimension: string): History | null
}

interface ImportOf extends Days {
  readonly id: string
  readonly held: Held
}

/** @param firstDay the day of the first hit; null if there is none yet */
export async function historyOf(db: Db, site: LiveSite, firstDay: number | null, reason: Reason | null): Promise<Imported> {
  if (site.members) return historyTogether(db, site.members, reason)
  const rows = await db
    .selectFrom('imports')
    .select(['id', 'first_day', 'last_day', 'holds'])
    .where('site_id', '=', site.id)
    .where('kind', '=', 'aggregates')
    .where('status', '=', 'completed')
    .where('dry_run', '=', 0)
    .where('removing', '=', 0)
    .where('first_day', 'is not', null)
    .orderBy('first_day')
    .execute()
  const imports = await Promise.all(
    rows
      .map(row => ({ ...row, fromDay: row.first_day ?? 0, toDay: Math.min(row.last_day ?? -1, (firstDay ?? Infinity) - 1) }))
      .filter(({ fromDay, toDay }) => fromDay <= toDay)
      .map(async ({ id, fromDay, toDay, holds: written }) => ({ id, fromDay, toDay, held: await heldBy(db, { id, written }) })),
  )
  return {
    days: spanOf(imports),
    isThere: rows.length > 0,
    reason,
    of(dimension) {
      const having = imports.filter(({ held }) => holds(held, dimension))
      const span = spanOf(having)
      const asked = (days: Days) => ({ site: site.id, imports: having, currency: site.currency, ...days })
      return (
        span && {
          ...span,
          totals: days => totalsOf(db, { having, whole: imports.filter(({ held }) => holds(held, ALL)), days: asked(days) }),
          values: days => importedValues(db, asked(days), dimension),
        }
      )
    },
  }
}

interface TotalsOf {
  /** Imports with totals of a dimension, and those with totals of all visits: files of one export may be imports of their own. */
  readonly having: readonly ImportOf[]
  readonly whole: readonly ImportOf[]
  readonly days: Omit<ImportedDays, 'imports'>
}

/** The totals of the days that have totals of a dimension; unknown if one of these days lacks them. */
async function totalsOf(db: Db, { having, whole, days }: TotalsOf): Promise<ReadonlyMap<number, ImportedSums>> {
  const covers = (imports: readonly Days[], day: number) => imports.some(({ fromDay, toDay }) => fromDay <= day && day <= toDay)
  if (having.every(each => whole.includes(each))) return importedDays(db, { ...days, imports: having })
  for (let day = days.fromDay; day <= days.toDay; day++) if (covers(having, day) && !covers(whole, day)) return unknownTotals(days)
  const totals = await importedDays(db, { ...days, imports: whole })
  return new Map([...totals].filter(([day]) => covers(having, day)))
}

/** The history of the sites of a group: of each, that before its own first hit. */
async function historyTogether(db: Db, sites: readonly LiveSite[], reason: Reason | null): Promise<Imported> {
  const each: Imported[] = []
  for (const site of sites) each.push(await historyOf(db, site, (await firstVisit(db, site.number))?.day ?? null, reason))
  const together = async <K>(
    histories: readonly History[],
    days: Days,
    read: (history: History, days: Days) => Promise<ReadonlyMap<K, ImportedSums>>,
  ) => {
    const sums = new Map<K, ImportedSums>()
    for (const history of histories) {
      const own = { fromDay: Math.max(days.fromDay, history.fromDay), toDay: Math.min(days.toDay, history.toDay) }
      if (own.fromDay > own.toDay) continue
      for (const [key, more] of await read(history, own)) {
        const before = sums.get(key)
        sums.set(key, before ? joinedSums(before, [more]) : more)
      }
    }
    return sums
  }
  return {
    days: spanOf(each.flatMap(({ days }) => days ?? [])),
    isThere: each.some(({ isThere }) => isThere),
    reason,
    of(dimension) {
      const histories = each.flatMap(one => one.of(dimension) ?? [])
      const span = spanOf(histories)
      return (
        span && {
          ...span,
          totals: days => together(histories, days, (history, own) => history.totals(own)),
          values: days => together(histories, days, (history, own) => history.values(own)),
        }
      )
    },
  }
}

const unknownTotals = ({ fromDay }: Days): ReadonlyMap<number, ImportedSums> => new Map([[fromDay, unknownSums]])

/** The days from the first to the last day of any. */
const spanOf = (imports: readonly Days[]): Days | null =>
  imports.length === 0
    ? null
    : { fromDay: Math.min(...imports.map(({ fromDay }) => fromDay)), toDay: Math.max(...imports.map(({ toDay }) => toDay)) }

/** The part of a report's range that imported history covers. */
export interface Included {
  readonly history: History
  /** Its days in the period, and in the comparison; null for none. */
  readonly now: Days | null
  readonly before: Days | null
}

export interface ImportedScope {
  /** Undefined unless it was requested. */
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

export interface Inclusion {
  /** Null if the report does not include it; `meta` has the reason. */
  readonly parts: Included | null
  readonly meta: ImportedMeta | undefined
  /** Names the included days, or the reason why the period's imported days are left out. */
  readonly notes: readonly Note[]
}

export function included(
  { imported, range, comparison, site: { timezone } }: ImportedScope,
  { interval, dimension = null, able = true }: Part = {},
): Inclusion {
  if (!imported) return { parts: null, meta: undefined, notes: [] }
  const not = (reason: Reason, days: Days | null = null): Inclusion => ({
    parts: null,
    meta: { included: false, from: null, to: null, reason },
    notes: reason === 'none_imported' ? [nothingImported] : days ? [leftOut(reason, days, dimension)] : [],
  })
  if (!imported.isThere) return not('none_imported')
  const touched = imported.days && (common(imported.days, range) ?? (comparison && common(imported.days, comparison)))
  if (!touched) return not('after_first_hit')
  if (imported.reason) return not(imported.reason, touched)
  if (interval === 'hour' || interval === 'minute') return not('interval', touched)
  const history = able ? imported.of(dimension ?? ALL) : null
  if (!history) return not('dimension', touched)
  const whole = wholeDaysOf(timezone, range)
  if (!whole) return not('interval', touched)
  const compared = comparison && wholeDaysOf(timezone, comparison)
  const [now, before] = [common(history, whole), compared && common(history, compared)]
  const shown = now ?? before
  if (!shown) return not('after_first_hit')
  const [from, to] = [dateOf(shown.fromDay), dateOf(shown.toDay)]
  return {
    parts: { history, now, before },
    meta: { included: true, from, to, reason: null },
    notes: [{ code: 'imported_included', message: m.imported_included({ from: dayTerm(from), to: dayTerm(to) }) }],
  }
}

const nothingImported: Note = Object.freeze({
  code: 'no_imported_history',
  message: m.no_imported_history({ include_imported: fieldTerm('include_imported') }),
})

function leftOut(reason: Reason, { fromDay, toDay }: Days, dimension: string | null): Note {
  const days = { from: dayTerm(dateOf(fromDay)), to: dayTerm(dateOf(toDay)) }
  const message =
    reason === 'interval'
      ? m.imported_without_hours(days)
      : reason !== 'dimension'
        ? m.imported_not_filtered(days)
        : dimension === null
          ? m.imported_not_in_report(days)
          : m.imported_not_divided({ ...days, dimension: dimension.startsWith('property:') ? dimension : fieldTerm(dimension) })
  return { code: 'imported_left_out', message }
}

export interface Unknown {
  /** Names of figures that are null, because imported totals lack them. */
  readonly unknown: readonly string[]
  /** Names of figures that belong to the other days only, because imported totals lack them. */
  readonly ofSome: readonly string[]
}

/** Notes on figures that imported totals lack; none if all are known. */
export function unknownNotes({ meta }: Inclusion, { unknown, ofSome }: Unknown): Note[] {
  if (!meta?.included) return []
  const termsOf = (names: readonly string[]) => [...new Set(names)].map(name => fieldTerm(name))
  return [
    ...(unknown.length > 0 ? [{ code: 'imported_unknown', message: m.imported_unknown({ metrics: termsOf(unknown) }) }] : []),
    ...(ofSome.length > 0 ? [{ code: 'imported_without', message: m.imported_without({ metrics: termsOf(ofSome) }) }] : []),
  ]
}

type Coded = { readonly code: string }

/** Whether a note is about days with imported history. */
export const isOfImportedDays = ({ code }: Coded): boolean =>
  code === 'imported_included' || code === 'imported_left_out' || code === 'imported_unknown' || code === 'imported_without'

/** Whether a note was made by `included`. */
export const isOfImported = (note: Coded): boolean => note.code === 'no_imported_history' || isOfImportedDays(note)

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
