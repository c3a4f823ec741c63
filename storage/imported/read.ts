/** Reads imported totals as the sums that reports consist of. */
import { sql } from 'kysely'
import type { Db } from '../store.ts'
import type { Sums } from '../engine/vocabulary/sums.ts'
import { type FamilyName, imported } from '../tables/imported-families.ts'

/** Sums of imported rows. `unviewed` counts the visits of rows without a number of pageviews. */
export type ImportedSums = Sums & { readonly unviewed: number }

/** The family and column of each dimension. Other dimensions are in no family. */
const dimensions: ReadonlyMap<string, { readonly family: FamilyName; readonly column: string }> = new Map(
  Object.entries({
    source: { family: 'sources', column: 'source' },
    referrer: { family: 'sources', column: 'referrer' },
    utm_source: { family: 'sources', column: 'utm_source' },
    utm_medium: { family: 'sources', column: 'utm_medium' },
    utm_campaign: { family: 'sources', column: 'utm_campaign' },
    utm_content: { family: 'sources', column: 'utm_content' },
    utm_term: { family: 'sources', column: 'utm_term' },
    page: { family: 'pages', column: 'page' },
    entry_page: { family: 'entry_pages', column: 'entry_page' },
    exit_page: { family: 'exit_pages', column: 'exit_page' },
    country: { family: 'locations', column: 'country' },
    region: { family: 'locations', column: 'region' },
    device: { family: 'devices', column: 'device' },
    browser: { family: 'browsers', column: 'browser' },
    browser_version: { family: 'browsers', column: 'browser_version' },
    os: { family: 'operating_systems', column: 'operating_system' },
    os_version: { family: 'operating_systems', column: 'operating_system_version' },
    event: { family: 'custom_events', column: 'name' },
  } as const),
)

/** Whether imported totals can be divided by this dimension. */
export const hasImported = (dimension: string): boolean => dimensions.has(dimension)

interface Found {
  readonly visitors: number
  readonly visits: number
  readonly pageviews: number
  readonly events: number
  readonly base: number
  readonly bounces: number
  readonly duration: number
  readonly unviewed: number
}

/** Sums for means include only rows that have both values, because null is unknown and not 0. */
function sumsOf(family: FamilyName) {
  const { counts } = imported[family]
  const visits = ['visits', 'entrances', 'exits'].find(name => counts.includes(name))
  const column = (name: string | undefined) => (name !== undefined && counts.includes(name) ? sql.ref(name) : sql`null`)
  const whole = (expression: ReturnType<typeof sql>) => sql`coalesce(sum(cast(${expression} as bigint)), 0)`
  const [bounces, duration, pageviews] = [column('bounces'), column('visit_duration'), column('pageviews')]
  const known = (expression: ReturnType<typeof sql>) =>
    sql`case when ${bounces} is not null and ${duration} is not null then ${expression} end`
  return sql`
    ${whole(column('visitors'))} as visitors, ${whole(column(visits))} as visits, ${whole(pageviews)} as pageviews,
    ${whole(column('events'))} as events, ${whole(known(column(visits)))} as base, ${whole(known(bounces))} as bounces,
    ${whole(known(duration))} as duration,
    ${whole(sql`case when ${pageviews} is null then ${column(visits)} end`)} as unviewed`
}

const within = (imports: readonly string[], fromDay: number, toDay: number) =>
  sql`import_id in (${sql.join(imports)}) and day >= ${fromDay} and day <= ${toDay}`

/** Reads the totals of each day with some, from `fromDay` to `toDay`. */
export async function importedDays(
  db: Db,
  { imports, fromDay, toDay }: { imports: readonly string[]; fromDay: number; toDay: number },
): Promise<ReadonlyMap<number, ImportedSums>> {
  const { rows } = await sql<Found & { day: number }>`
    /* read.imported-days */ select day, ${sumsOf('visitors')} from imported_visitors where ${within(imports, fromDay, toDay)} group by day`.execute(
    db,
  )
  return new Map(rows.map(row => [row.day, toSums(row)]))
}

interface ImportedValues {
  readonly imports: readonly string[]
  readonly dimension: string
  readonly fromDay: number
  readonly toDay: number
}

/** Reads the totals of each value of a dimension. @param dimension one that `hasImported` */
export async function importedValues(
  db: Db,
  { imports, dimension, fromDay, toDay }: ImportedValues,
): Promise<ReadonlyMap<string, ImportedSums>> {
  const { family, column } = dimensions.get(dimension) ?? {}
  if (family === undefined || column === undefined) return new Map()
  const value = sql.ref(column)
  const { rows } = await sql<Found & { value: string }>`
    /* read.imported-values */ select ${value} as value, ${sumsOf(family)} from ${sql.table(`imported_${family}`)}
    where ${within(imports, fromDay, toDay)} group by ${value}`.execute(db)
  return new Map(rows.map(row => [row.value, toSums(row)]))
}

const toSums = ({ visitors, visits, pageviews, events, base, bounces, duration, unviewed }: Found): ImportedSums => ({
  visitors,
  visits,
  pageviews,
  events,
  revenue: 0,
  purchases: 0,
  bounceBase: base,
  bounces,
  duration,
  exits: 0,
  engaged: 0,
  unviewed,
})
