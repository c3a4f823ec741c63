/** The reports about one thing, as SQL for DuckDB. */
import { type Days, eventId, keyId, within } from './duck.ts'

const views = (days: Days): string => `select visitor, visit, page, ts, seq from hits where ${within(days)} and event=0`
/** Stays on a page: a page that is viewed again at once is one. */
const stays = (days: Days, some = ''): string =>
  `s as (select visit, page, ts, seq, b from (select *, lag(page) over (partition by visit order by ts, seq) b from (${views(days)}) ${some}) where b is null or b <> page)`

export const journeys = (days: Days): string =>
  `with ${stays(days)}, n as (select visit, page, row_number() over (partition by visit order by ts, seq) step from s),
   w as (select visit, max(case when step=1 then page end) a, max(case when step=2 then page end) b, max(case when step=3 then page end) c from n where step<=3 group by 1)
   select a, b, c, count(*) from w group by all order by 4 desc limit 10`

/** @param steps conditions on hits */
export function funnel(days: Days, steps: readonly string[]): string {
  const h = `h as (select visitor, visit, ts*1000+seq t, event, page from hits where ${within(days)})`
  const taken = steps.map((step, i) =>
    i === 0
      ? `s0 as (select visitor, visit, min(t) t from h where ${step} group by 1, 2)`
      : `s${i} as (select h.visitor, h.visit, min(h.t) t from h join s${i - 1} p using (visit) where ${step} and h.t > p.t group by 1, 2)`,
  )
  const counted = steps.map((_, i) => `select ${i + 1}, count(*), count(distinct visitor) from s${i}`)
  return `with ${[h, ...taken].join()} select 0, count(distinct visit), count(distinct visitor) from h union all ${counted.join(' union all ')} order by 1`
}

const figures = 'count(*), count(distinct visit), count(distinct visitor), sum(revenue)'
export function eventDetail(name: string, keys: readonly string[], days: Days): string[] {
  const of = `from hits where ${within(days)} and event=${eventId(name)}`
  const props = `from props where ${within(days)} and event=${eventId(name)}`
  return [
    `select ${figures}, min(ts), max(ts) ${of}`,
    `select day, ${figures} ${of} group by 1 order by 1`,
    `select page, ${figures} ${of} group by 1 order by 2 desc limit 25`,
    `select key, count(*) ${props} group by 1`,
    ...keys.map(
      key =>
        `select value, count(*), count(distinct visit_id), count(distinct day::int*65536+(visit_id>>8)) ${props} and key=${keyId(key)} group by 1 order by 2 desc limit 25`,
    ),
  ]
}

export const experiment = (key: string, goal: string, days: Days): string =>
  `with h as (select * from hits where ${within(days)}), p as (select day, visit_id, event, value from props where ${within(days)} and key=${keyId(key)}),
   s as (select h.visitor, min(p.value) v, max(p.value) w, count(distinct h.visit) visits, min(h.ts) since from p join h using (day, visit_id, event) group by 1),
   c as (select h.visitor, count(*) n from h join s using (visitor) where h.event=${eventId(goal)} and h.ts >= since and v=w group by 1)
   select v, count(*), sum(visits), count(c.n), coalesce(sum(c.n), 0) from s left join c using (visitor) where v=w group by 1 order by 3 desc, 1 limit 20`

export function pageDetail(page: number, days: Days): string[] {
  const seen = `semi join (select visit from hits where ${within(days)} and event=0 and page=${page}) using (visit)`
  const neighbours = (which: string): string =>
    `with ${stays(days, seen)}, n as (select *, lead(page) over (partition by visit order by ts, seq) a from s) select ${which}, count(*) from n where page=${page} group by 1 order by 2 desc, 1 limit 10`
  return [
    `select count(*), count(distinct visit), count(distinct visitor) from hits where ${within(days)} and event=0 and page=${page}`,
    neighbours('b'),
    neighbours('a'),
    `select event, ${figures} from hits where ${within(days)} and event>0 and page=${page} group by 1 order by 2 desc limit 10`,
  ]
}

/** Changes between the last days and as many before, by the dimensions of insights. */
export function changes(days: 7 | 30, last: number): string[] {
  const both = `site_id=1 and day between ${last - 2 * days + 1} and ${last}`
  const [now, before] = [`case when day > ${last - days} then visitor end`, `case when day <= ${last - days} then visitor end`]
  const by = (dim: string, table: string, where = 'true') =>
    `select ${dim}, count(distinct ${now}) n, count(distinct ${before}) b from ${table} where ${both} and ${where} group by 1 order by abs(n-b) desc, 1 limit 10`
  return [
    `select day > ${last - days}, count(distinct visitor), count(*), sum(pageviews), sum(bounce), sum(duration), sum(revenue) from visits where ${both} group by 1`,
    by('page', 'hits', 'event=0'),
    ...['country', 'device', 'utm_campaign'].map(dim => by(dim, 'visits')),
    by('event', 'hits', 'event>0'),
    by('case when event=1 then 1 when event=2 then 2 else 3 end', 'hits', '(event in (1, 2) or (event=0 and page=20))'),
  ]
}
