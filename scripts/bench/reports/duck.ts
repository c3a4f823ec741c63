/** The same data and queries in DuckDB, as an analyst would write them: integer columns, clustered by time. */
import fs from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '../../../tools/duckdb.mjs'
import { type DayOfTraffic, FIRST_DAY, LAST_DAY, texts } from './dataset.ts'
import { bounced, earned, lasted, views, visitId } from './load-ours.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const columns = {
  visits: [
    'site_id',
    'day',
    'visit_id',
    'visitor',
    'pageviews',
    'events',
    'bounce',
    'duration',
    'revenue',
    'entry_page',
    'exit_page',
    'country',
    'city',
    'browser',
    'os',
    'device',
    'language',
    'channel',
    'referrer',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'person',
    'started',
  ],
  // Columns used in filters are repeated in hits, so that no join is needed; visitor and visit are unique in the site.
  hits: ['site_id', 'day', 'visit_id', 'seq', 'ts', 'page', 'event', 'revenue', 'visitor', 'visit', 'country', 'browser', 'channel'],
  props: ['site_id', 'day', 'visit_id', 'event', 'key', 'value'],
} as const
type Table = keyof typeof columns

/** Writes the days as CSV, and loads them into a database. */
export function duckLoader(folder: string) {
  const files = Object.fromEntries(
    Object.keys(columns).map(table => [table, fs.openSync(path.join(folder, `${table}.csv`), 'w')]),
  ) as Record<Table, number> // the object's own keys
  let [visitors, visits] = [0, 0]
  return {
    add({ day, visits: visited }: DayOfTraffic): void {
      const lines: Record<Table, string[]> = { visits: [], hits: [], props: [] }
      for (const visit of visited) {
        const id = visitId(visit)
        const [visitor, ordinal] = [visitors + visit.visitor, ++visits]
        const seen = views(visit)
        const { country, city, browser, os, device, language, channel, referrer, utm_source, utm_medium, utm_campaign, person } = visit
        lines.visits.push(
          [
            1,
            day,
            id,
            visitor,
            seen.length,
            visit.hits.length - seen.length,
            bounced(visit),
            lasted(visit),
            earned(visit),
            seen[0]?.page,
            seen.at(-1)?.page,
            country,
            city,
            browser,
            os,
            device,
            language,
            channel,
            referrer,
            utm_source,
            utm_medium,
            utm_campaign,
            person,
            visit.hits[0]?.at ?? 0,
          ].join(),
        )
        for (const [seq, { at, page, event, revenue, props }] of visit.hits.entries()) {
          lines.hits.push([1, day, id, seq, at, page, event, revenue, visitor, ordinal, country, browser, channel].join())
          for (const { key, value } of props) lines.props.push([1, day, id, event, key, value].join())
        }
      }
      visitors += visited.at(-1)?.visitor ?? 0
      for (const [table, file] of Object.entries(files)) fs.writeSync(file, `${lines[table as Table].join('\n')}\n`)
    },
    async finish(file: string): Promise<void> {
      const instance = await DuckDBInstance.create(file, { threads: '2' })
      const connection = await instance.connect()
      for (const [table, names] of Object.entries(columns)) {
        const csv = path.join(folder, `${table}.csv`)
        const typed = names.map(name => `'${name}':'${['ts', 'visit_id', 'started'].includes(name) ? 'BIGINT' : 'INTEGER'}'`)
        await connection.run(`create table ${table} as select * from read_csv('${csv}', header=false, columns={${typed.join()}})`)
        fs.closeSync(files[table as Table])
        fs.rmSync(csv)
      }
      await connection.run('create table dict (dim varchar, id integer, value varchar)')
      for (const [dim, values] of Object.entries(texts)) {
        const rows = values.map((value, i) => `('${dim}',${i + 1},'${value}')`)
        await connection.run(`insert into dict values ${rows.join()}`)
      }
      await connection.run('checkpoint')
      connection.closeSync()
      instance.closeSync()
    },
  }
}

export type Rows = readonly (readonly unknown[])[]
export interface Duck {
  /** @returns the rows of each statement */
  ask(sql: readonly string[]): Promise<Rows[]>
  close(): void
}

export async function openDuck(file: string): Promise<Duck> {
  const instance = await DuckDBInstance.create(file, { threads: '2', access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  return {
    async ask(statements) {
      const found: Rows[] = []
      for (const sql of statements) found.push((await connection.runAndReadAll(sql)).getRows())
      return found
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** The last days of the dataset. */
export type Days = 7 | 30 | 90 | 365
export const within = (days: Days): string => `site_id=1 and day between ${Math.max(FIRST_DAY, LAST_DAY - days + 1)} and ${LAST_DAY}`
const sums = 'count(distinct visitor), count(*), sum(pageviews), sum(bounce), sum(duration), sum(revenue)'
/** If every visit counts, visitors can be counted by their first visit. */
const allSums = sums.replace('count(distinct visitor)', 'sum((visit_id&255)=1)')
export const id = (dim: keyof typeof texts, value: string): number => 1 + (texts[dim] as readonly string[]).indexOf(value)

export const eventId = (name: string): number => id('event', name)
export const keyId = (name: string): number => id('prop_key', name)

export const people = (days: Days): string =>
  `select ${allSums}, count(distinct case when person > 0 then person end) as people from visits where ${within(days)}`
export const peopleBy = (column: string, days: Days): string =>
  `select ${column}, count(distinct visitor), count(distinct case when person > 0 then person end) as people from visits where ${within(days)} group by 1 order by 2 desc limit 10`
export const totals = (days: Days): string => `select ${allSums} from visits where ${within(days)}`
export const byDay = (days: Days): string => `select day, ${allSums} from visits where ${within(days)} group by 1 order by 1`
export const byMonth = (days: Days): string =>
  `select year(date '1970-01-01'+day::int)*12+month(date '1970-01-01'+day::int), ${allSums} from visits where ${within(days)} group by 1 order by 1`
export const byHour = (days: Days): string =>
  `select ts//3600000, count(distinct visitor), count(distinct visit), count(*) from hits where ${within(days)} and event=0 group by 1 order by 1`
/** Constant for each visitor, so visitors can be counted by their first visit here too. */
const ofVisitor = ['country', 'device', 'browser', 'os']
export const ofVisits = (dim: string, days: Days): string =>
  `select ${dim}, ${ofVisitor.includes(dim) ? 'sum((visit_id&255)=1)' : 'count(distinct visitor)'}, count(*), sum(pageviews) from visits where ${within(days)} group by 1 order by 2 desc, 1 limit 10`
export function ofHits(dim: 'page' | 'event', days: Days, where: string): string {
  const from = `from hits where ${within(days)} and ${where}`
  return `with p as (select ${dim}, count(*) c ${from} group by 1), v as (select ${dim}, count(*) b, count(distinct visitor) a from (select distinct ${dim}, visitor, visit ${from}) group by 1) select ${dim}, a, b, c from p join v using (${dim}) order by 2 desc, 1 limit 10`
}
export const attributionModels = ['first', 'last', 'last_non_direct', 'linear', 'position', 'time_decay'] as const
/** The channels of the visits that led a person to an event, by every model. A visit of an unknown person is a path of its own. */
export const attribution = (event: string, days: Days, lookback: number): string =>
  `with c as (select day, visit_id, count(*) n from hits where ${within(days)} and event=${eventId(event)} group by 1, 2),
  v as (select * from visits where site_id=1 and day between ${LAST_DAY - days - lookback} and ${LAST_DAY}),
  g as (select v.day, v.visit_id, v.person, v.started, v.channel, n from c join v using (day, visit_id)),
  t as (
    select g.day, g.visit_id, g.n, g.started till, v.channel, v.started from g join v on v.person=g.person and v.started<g.started and v.started>=g.started-${lookback * DAY_MS} where g.person>0
    union all select day, visit_id, n, started, channel, started from g
  ),
  p as (
    select channel, n, row_number() over w i, count(*) over a k, power(2, (started-till)/604800000.0) d, sum(power(2, (started-till)/604800000.0)) over a ds,
      max(case when channel<>${id('channel', 'Direct')} then started end) over a nd, started, till
    from t window w as (partition by day, visit_id order by started), a as (partition by day, visit_id)
  )
  select channel, sum(n*(i=1)::int), sum(n*(i=k)::int), sum(n*(started=coalesce(nd, till))::int), sum(n/k::double),
    sum(n*case when k=1 then 1 when k=2 then 0.5 when i=1 or i=k then 0.4 else 0.2/(k-2) end), sum(n*d/ds) from p group by 1`
/** People by the week of their first visit, and how many of them came back in each week from then on. */
export const retention = (weeks: number): string =>
  `with v as (select distinct person, (day-${FIRST_DAY})//7 w from visits where site_id=1 and day between ${FIRST_DAY} and ${FIRST_DAY + 7 * weeks - 1} and person>0),
  f as (select person, min(w) c from v group by 1)
  select c, w-c, count(*) from v join f using (person) group by 1, 2`
export const goals = (days: Days): string =>
  [`event=${id('event', 'purchase')}`, `event=${id('event', 'signup')}`, 'event=0 and page=20']
    .map((where, i) => `select ${i}, count(distinct visitor), count(distinct visit) from hits where ${within(days)} and ${where}`)
    .join(' union all ')
export const fromCountryWithBrowser = (country: string, browser: string): string =>
  `event=0 and country=${id('country', country)} and browser=${id('browser', browser)}`
export const fromChannel = (channel: string): string => `event=0 and channel=${id('channel', channel)}`
export const pagesContaining = (text: string): string =>
  `event=0 and page in (select id from dict where dim='page' and contains(value, '${text}'))`
export const sawPages = (text: string, days: Days): string => sawWhere(pagesContaining(text), days)
/** Visits with such hits. */
export const sawWhere = (hit: string, days: Days): string =>
  `with m as (select day, visit_id, count(*) seen from hits where ${within(days)} and ${hit} group by 1, 2) select ${sums}, sum(seen) from visits join m using (day, visit_id) where ${within(days)}`
/** The visits of a year that pass, all together, by day, and by a dimension. */
export const totalsWhere = (where: string): string => `select ${sums} from visits where ${within(365)} and ${where}`
export const byDayWhere = (where: string): string =>
  `select day, ${sums} from visits where ${within(365)} and ${where} group by 1 order by 1`
export const ofVisitsWhere = (dim: string, where: string): string =>
  `select ${dim}, ${sums} from visits where ${within(365)} and ${where} group by 1 order by 2 desc, 1 limit 10`
export const property = (event: string, key: string, days: Days): string =>
  `select value, count(distinct day::int*65536+(visit_id>>8)), count(*) from props where ${within(days)} and event=${id('event', event)} and key=${id('prop_key', key)} group by 1 order by 3 desc, 1 limit 10`
/** Pairs of values over a year. */
const pairSums = 'count(distinct visitor), count(*), sum(pageviews)'
const pairsBy = (first: string, second: string, sums: string) =>
  `select ${first}, ${second}, ${sums} from visits where ${within(365)} group by 1, 2 order by 3 desc, 1, 2 limit 20`
export const ofPairs = (first: string, second: string): string =>
  pairsBy(
    first,
    second,
    ofVisitor.includes(first) && ofVisitor.includes(second)
      ? pairSums.replace('count(distinct visitor)', 'sum((visit_id&255)=1)')
      : pairSums,
  )
export const byMonthAnd = (dim: string): string =>
  pairsBy("year(date '1970-01-01'+day::int)*12+month(date '1970-01-01'+day::int)", dim, pairSums)
export function ofPagesBy(dim: string): string {
  const from = `from hits where ${within(365)} and event=0`
  return `with p as (select page, ${dim}, count(*) c ${from} group by 1, 2), v as (select page, ${dim}, count(*) b, count(distinct visitor) a from (select distinct page, ${dim}, visitor, visit ${from}) group by 1, 2) select page, ${dim}, a, b, c from p join v using (page, ${dim}) order by 3 desc, 1, 2 limit 20`
}
