/**
 * Reads imported totals as the sums that reports consist of. A sum is NaN if it is unknown for any of its rows, and so is
 * everything computed from it: figures then show it as null (docs/import.md, "Hits and totals").
 */
import { type RawBuilder, sql } from 'kysely'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { Db } from '../store.ts'
import { dimensions } from '../engine/vocabulary/dimensions.ts'
import { type Sums, sumNames } from '../engine/vocabulary/sums.ts'
import type { FamilyName } from '../tables/imported-families.ts'
import { ALL, type Held, holds, isPlaced, placesOfDimensions, SITE } from './held.ts'

/** The totals of one import. */
export interface ImportedTotals {
  readonly id: string
  readonly held: Held
}

export interface ImportedDays {
  /** Id of the site that has them. */
  readonly site: string
  readonly imports: readonly ImportedTotals[]
  /** Both included. */
  readonly fromDay: number
  readonly toDay: number
  /** Amounts in another currency are unknown. */
  readonly currency: string
}

type SumName = keyof Sums
type Found = Record<SumName, number | null> & { readonly unpriced: number }

/** Sums of imported totals. */
export interface ImportedSums extends Sums {
  /** Some of the days do not know their revenue: `revenue` and `purchases` belong to the others, and are NaN without others. */
  readonly lacksMoney?: true
}
type Sql = RawBuilder<unknown>

/** The column of a family that has a sum, or 0 if it is always 0; missing ones are unknown. */
type SumColumns = Readonly<Partial<Record<SumName, string | 0>>>

const ofVisits: SumColumns = {
  visitors: 'visitors',
  visits: 'visits',
  pageviews: 'pageviews',
  bounceBase: 'visits',
  bounces: 'bounces',
  duration: 'visit_duration',
}
/** By family. Entries, bounces and exits of a page are in the families of entry and exit pages. */
const sumColumns: Readonly<Record<FamilyName, SumColumns>> = {
  visitors: ofVisits,
  sources: ofVisits,
  pages: { visitors: 'visitors', visits: 'visits', pageviews: 'pageviews', engaged: 'total_time_on_page' },
  entry_pages: { ...ofVisits, visits: 'entrances', bounceBase: 'entrances' },
  exit_pages: { ...ofVisits, visits: 'exits', bounceBase: 'exits', exits: 'exits' },
  custom_events: { visitors: 'visitors', events: 'events', pageviews: 0 },
  locations: ofVisits,
  devices: ofVisits,
  browsers: ofVisits,
  operating_systems: ofVisits,
  values: {
    ...ofVisits,
    bounceBase: 'entries',
    events: 'events',
    revenue: 'revenue',
    purchases: 'purchases',
    exits: 'exits',
    engaged: 'total_time_on_page',
  },
}

/** Null is unknown, so a sum with a null is null. */
const known = (expression: Sql): Sql => sql`case when count(*) = count(${expression}) then sum(cast(${expression} as bigint)) end`

/** The sum of the known ones. */
const knownOnly = (expression: Sql): Sql => sql`sum(cast(${expression} as bigint))`

/** Sums of rows. Revenue belongs to the rows that know it, and purchases to the same rows. */
const sumsOf = (columnOf: (name: SumName) => Sql): Sql => {
  const revenue = columnOf('revenue')
  const purchases = sql`case when ${revenue} is not null then ${columnOf('purchases')} end`
  const sums: Partial<Record<SumName, Sql>> = {
    revenue: knownOnly(revenue),
    purchases: sql`case when count(${revenue}) = count(${purchases}) then ${knownOnly(purchases)} end`,
  }
  const named = sumNames.map(name => sql`${sums[name] ?? known(columnOf(name))} as ${sql.ref(name)}`)
  return sql.join([...named, sql`count(*) - count(${revenue}) as unpriced`])
}

const sumsIn = (family: FamilyName, { imports, currency }: Pick<ImportedDays, 'imports' | 'currency'>): Sql =>
  sumsOf(name => {
    const column = sumColumns[family][name]
    if (column === undefined) return sql`cast(null as bigint)`
    if (column === 0) return sql`0`
    if (family === 'values' && name === 'revenue') return sql`case when currency = ${currency} then revenue end`
    return family === 'pages' && name === 'engaged' ? measuredTime(imports) : sql.ref(column)
  })

/** Before a product measured the time on pages, its files have 0 seconds of 0 visits: that time is unknown. */
const measuredTime = (imports: readonly ImportedTotals[]): Sql => sql`
  case when total_time_on_page_visits is null or total_time_on_page > 0 or day >= (
    select min(day) from imported_pages where ${ofImports(imports)} and total_time_on_page_visits > 0
  ) then total_time_on_page end`

const ofImports = (imports: readonly ImportedTotals[]): Sql => sql`import_id in (${sql.join(imports.map(({ id }) => id))})`

const within = ({ imports, fromDay, toDay }: ImportedDays): Sql => sql`${ofImports(imports)} and day >= ${fromDay} and day <= ${toDay}`

const toSums = (row: Found): ImportedSums => ({
  ...(Object.fromEntries(sumNames.map(name => [name, row[name] === null ? Number.NaN : Number(row[name])])) as unknown as Sums), // one for each name
  ...(Number(row.unpriced) > 0 && { lacksMoney: true }),
})

export const unknownSums: ImportedSums = Object.freeze(
  toSums({
    visitors: null,
    visits: null,
    pageviews: null,
    events: null,
    revenue: null,
    purchases: null,
    bounceBase: null,
    bounces: null,
    duration: null,
    exits: null,
    engaged: null,
    unpriced: 1,
  }),
)

/** Splits imports by where they have the totals of a dimension. */
function placesOf({ imports, ...asked }: ImportedDays, dimension: string) {
  const own = imports.filter(({ held }) => held.values.has(dimension))
  const others = imports.filter(({ held }) => !held.values.has(dimension) && held.families.has(dimension))
  return { own: { ...asked, imports: own }, others: { ...asked, imports: others } }
}

/** Reads the totals of each day with some. */
export async function importedDays(db: Db, asked: ImportedDays): Promise<ReadonlyMap<number, ImportedSums>> {
  const { own, others } = placesOf(asked, ALL)
  const read = async (days: ImportedDays, family: FamilyName, where: Sql) => {
    if (days.imports.length === 0) return []
    const { rows } = await sql<Found & { day: number }>`
      /* read.imported-days */ select day, ${sumsIn(family, asked)} from ${sql.table(`imported_${family}`)}
      where ${within(days)} ${where} group by day`.execute(db)
    return rows
  }
  const found = [...(await read(own, 'values', sql`and dimension = ${ALL}`)), ...(await read(others, 'visitors', sql``))]
  return new Map(found.map(row => [row.day, toSums(row)]))
}

/** Reads the totals of each value of a dimension, of imports that hold it. */
export async function importedValues(db: Db, asked: ImportedDays, dimension: string): Promise<ReadonlyMap<string, ImportedSums>> {
  const derived = dimensions.get(dimension)?.derived
  const { own, others } = placesOf(asked, dimension)
  const found = new Map<string, ImportedSums>()
  const add = (value: string, sums: ImportedSums) => found.set(value, added(found.get(value), sums))
  if (dimension === SITE) {
    for (const sums of (await importedDays(db, asked)).values()) add(asked.site, sums)
    return found
  }
  if (own.imports.length > 0) {
    const { rows } = await sql<Found & { value: string }>`
      /* read.imported-values */ select value, ${sumsIn('values', asked)} from imported_values
      where ${within(own)} and dimension = ${dimension} group by value`.execute(db)
    for (const row of rows) {
      await yieldWhereDue()
      add(row.value, toSums(row))
    }
  }
  if (derived?.of === 'day') {
    const rest = asked.imports.filter(({ held }) => !held.values.has(dimension) && holds(held, ALL))
    for (const [day, sums] of await importedDays(db, { ...asked, imports: rest })) add(derived.values[derived.placeOf(day)] ?? '', sums)
  } else if (others.imports.length > 0 && isPlaced(dimension)) {
    const values = dimension === 'page' ? await pages(db, others) : await inFamily(db, others, dimension)
    for (const [value, sums] of values) {
      await yieldWhereDue()
      add(value, sums)
    }
  }
  return found
}

const added = (to: ImportedSums | undefined, more: ImportedSums): ImportedSums => (to ? joinedSums(to, [more]) : more)

/**
 * Adds imported sums to others. A sum that one of them lacks is NaN; but revenue and purchases belong to the days that know them,
 * as far as there are any.
 */
export function joinedSums<S extends ImportedSums>(to: S, more: readonly ImportedSums[]): ImportedSums {
  const all = [to, ...more]
  const sum = (some: readonly Sums[], name: SumName) => some.reduce((total, one) => total + one[name], 0)
  const priced = all.filter(({ revenue }) => !Number.isNaN(revenue))
  const of = (name: SumName) => {
    if (name !== 'revenue' && name !== 'purchases') return sum(all, name)
    return priced.length === 0 ? Number.NaN : sum(priced, name)
  }
  return {
    ...(Object.fromEntries(sumNames.map(name => [name, of(name)])) as unknown as Sums), // one for each name
    ...(all.some(one => one.lacksMoney) && { lacksMoney: true }),
  }
}

/**
 * Adds up the rows of each value. Rows of one value count the same visitor once each (a page on two hosts, a source with two
 * referrers), so the visitors of a value on a day are at most all visitors of that day.
 */
async function inFamily(db: Db, asked: ImportedDays, dimension: keyof typeof placesOfDimensions): Promise<Map<string, ImportedSums>> {
  const { family, column } = placesOfDimensions[dimension]
  if (column === null) return new Map()
  const fewer = sql`case when of_value.visitors > of_all.visitors then of_all.visitors else of_value.visitors end`
  const { rows } = await sql<Found & { value: string }>`
    /* read.imported-values */ select of_value.value as value,
      ${sumsOf(name => (name === 'visitors' ? fewer : sql`of_value.${sql.ref(name)}`))}
    from (
      select day, ${sql.ref(column)} as value, ${sumsIn(family, asked)} from ${sql.table(`imported_${family}`)}
      where ${within(asked)} group by day, ${sql.ref(column)}
    ) of_value left join (
      select day, ${sumsIn('visitors', asked)} from imported_visitors where ${within(asked)} group by day
    ) of_all on of_all.day = of_value.day
    group by of_value.value`.execute(db)
  const found = new Map<string, ImportedSums>()
  for (const row of rows) {
    await yieldWhereDue()
    found.set(row.value, toSums(row))
  }
  return found
}

/** Rows of pages, with what the families of entry and exit pages have about the same page. */
async function pages(db: Db, asked: ImportedDays): Promise<Map<string, ImportedSums>> {
  const among = async (dimension: 'entry_page' | 'exit_page') =>
    asked.imports.every(({ held }) => holds(held, dimension)) ? inFamily(db, asked, dimension) : undefined
  const [viewed, entered, left] = [await inFamily(db, asked, 'page'), await among('entry_page'), await among('exit_page')]
  const of = (sums: Map<string, Sums> | undefined, page: string, name: SumName) => (sums ? (sums.get(page)?.[name] ?? 0) : Number.NaN)
  for (const [page, sums] of viewed) {
    await yieldWhereDue()
    viewed.set(page, {
      ...sums,
      bounceBase: of(entered, page, 'bounceBase'),
      bounces: of(entered, page, 'bounces'),
      duration: of(entered, page, 'duration'),
      exits: of(left, page, 'exits'),
    })
  }
  return viewed
}
