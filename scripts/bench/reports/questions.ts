/** The queries for both, and their targets: the share of DuckDB's time that ours may take. */
import assert from 'node:assert/strict'
import type { AnyQuestion, Query, Span } from '../../../operations/reports/stats/index.ts'
import { ask, days, FILTERED, last, type Question, test, UNFILTERED, whole } from './ask.ts'
import { DAYS, LAST_DAY, texts } from './dataset.ts'
import { detailQuestions } from './detail-questions.ts'
import * as duck from './duck.ts'
import { peopleQuestions } from './people-questions.ts'
import { tableQuestions } from './table-questions.ts'
import { DAY_MS, HOUR_MS } from '../../../storage/values/durations.ts'

const totals = (...spans: Span[]): AnyQuestion => ({ report: 'totals', series: [spans] })
const breakdown = (dimension: string, days: duck.Days): AnyQuestion => ({
  report: 'breakdown',
  dimension,
  span: last(days),
  compared: null,
  sort: 'visitors',
  offset: 0,
  limit: 10,
})

const hours = (days: duck.Days): Span[] => {
  const { from, to } = last(days)
  return Array.from({ length: (to - from) / HOUR_MS }, (_, hour) => {
    const [begins, day] = [from + hour * HOUR_MS, LAST_DAY - days + 1 + Math.floor(hour / 24)]
    return { from: begins, to: begins + HOUR_MS, fromDay: day - 1, toDay: day + 1, whole: false }
  })
}
const months = (): Span[] => {
  const starts = Array.from({ length: 13 }, (_, month) => Date.UTC(2024, 10 + month, 1) / DAY_MS)
  return starts.slice(0, 12).map((from, i) => whole(from, (starts[i + 1] ?? 0) - 1))
}

const panels = ['channel', 'referrer', 'page', 'entry_page', 'country', 'device', 'browser', 'os', 'utm_campaign', 'event', 'goal']
const overview = (name: string, over: duck.Days): Question => {
  const series = over === 365 ? months() : days(over)
  const asked: Query['asked'] = {
    report: 'several',
    each: [totals(last(over)), totals(...series), ...panels.map(panel => breakdown(panel, over))],
  }
  const statements = panels.map(panel =>
    panel === 'page'
      ? duck.ofHits('page', over, 'event=0')
      : panel === 'event'
        ? duck.ofHits('event', over, 'event>0')
        : panel === 'goal'
          ? duck.goals(over)
          : duck.ofVisits(panel, over),
  )
  return ask({
    name,
    bar: UNFILTERED,
    asked,
    statements: [duck.totals(over), over === 365 ? duck.byMonth(over) : duck.byDay(over), ...statements],
  })
}

const german = [test('country', 'is', 'DE'), test('browser', 'is', 'Firefox')]
const blog = [test('page', 'contains', '/blog')]
const searched = [test('channel', 'is', 'Organic Search')]

export const questions: readonly Question[] = [
  ask({ name: 'aggregate, 30 d', bar: UNFILTERED, asked: totals(last(30)), statements: duck.totals(30) }),
  ask({
    name: 'aggregate, 12 mo, twice',
    bar: UNFILTERED,
    asked: { report: 'totals', series: [[last(365)], [last(365)]] },
    statements: [duck.totals(365), duck.totals(365)],
  }),
  {
    ...ask({
      name: 'people, 12 mo',
      bar: 0.3,
      asked: { report: 'totals', series: [[last(365)]], isPeopleCounted: true },
      statements: duck.people(365),
    }),
    agrees(answer, [rows]) {
      assert.ok(answer.report === 'totals')
      assert.equal(answer.series.flat()[0]?.people, Number(rows?.[0]?.at(-1)))
    },
  },
  ask({
    name: 'people by country, 12 mo',
    bar: 0.3,
    asked: { ...breakdown('country', 365), isPeopleCounted: true } as AnyQuestion,
    statements: duck.peopleBy('country', 365),
  }),
  ...peopleQuestions,
  ask({ name: 'series by day, 30 d', bar: UNFILTERED, asked: totals(...days(30)), statements: duck.byDay(30) }),
  ask({ name: 'series by month, 12 mo', bar: UNFILTERED, asked: totals(...months()), statements: duck.byMonth(365) }),
  ask({ name: 'series by hour, 7 d', bar: UNFILTERED, asked: totals(...hours(7)), statements: duck.byHour(7) }),
  ask({ name: 'pages, 30 d', bar: UNFILTERED, asked: breakdown('page', 30), statements: duck.ofHits('page', 30, 'event=0') }),
  ask({ name: 'pages, 12 mo', bar: UNFILTERED, asked: breakdown('page', 365), statements: duck.ofHits('page', 365, 'event=0') }),
  ask({ name: 'countries, 12 mo', bar: UNFILTERED, asked: breakdown('country', 365), statements: duck.ofVisits('country', 365) }),
  overview('overview with 11 panels, 30 d', 30),
  overview('overview with 11 panels, 12 mo', 365),
  ask({
    name: 'pages where country and browser, 30 d',
    bar: FILTERED,
    asked: breakdown('page', 30),
    statements: duck.ofHits('page', 30, duck.fromCountryWithBrowser('DE', 'Firefox')),
    where: german,
  }),
  ask({
    name: 'pages where country and browser, 12 mo',
    bar: FILTERED,
    asked: breakdown('page', 365),
    statements: duck.ofHits('page', 365, duck.fromCountryWithBrowser('DE', 'Firefox')),
    where: german,
  }),
  ask({
    name: 'pages where channel, 30 d',
    bar: FILTERED,
    asked: breakdown('page', 30),
    statements: duck.ofHits('page', 30, duck.fromChannel('Organic Search')),
    where: searched,
  }),
  ask({
    name: 'pages where channel, 12 mo',
    bar: FILTERED,
    asked: breakdown('page', 365),
    statements: duck.ofHits('page', 365, duck.fromChannel('Organic Search')),
    where: searched,
  }),
  ask({
    name: 'pages containing /blog, 12 mo',
    bar: FILTERED,
    asked: breakdown('page', 365),
    statements: duck.ofHits('page', 365, duck.pagesContaining('/blog')),
    where: blog,
  }),
  {
    ...ask({
      name: 'aggregate, visits that saw /docs, 12 mo',
      bar: FILTERED,
      asked: totals(last(365)),
      statements: duck.sawPages('/docs', 365),
      where: [test('page', 'contains', '/docs')],
    }),
    agrees(answer, [rows]) {
      assert.ok(answer.report === 'totals')
      const [sums] = answer.series.flat()
      const [visitors, visits, whole, , , revenue, seen] = (rows?.[0] ?? []).map(Number)
      const found = [sums?.visitors, sums?.visits, sums?.viewsOfVisits, sums?.revenue, sums?.pageviews]
      assert.deepEqual(found, [visitors, visits, whole, revenue, seen])
    },
  },
  {
    ...ask({
      name: 'values of an event property, 30 d',
      bar: FILTERED,
      asked: breakdown('property:button', 30),
      statements: duck.property('form_submit', 'button', 30),
      where: [test('event', 'is', 'form_submit')],
    }),
    agrees(answer, [rows]) {
      assert.ok(answer.report === 'breakdown')
      const visitors = new Map((rows ?? []).map(([id, count]) => [texts.prop_value[Number(id) - 1], Number(count)]))
      for (const { value, sums } of answer.rows) assert.equal(sums.visitors, visitors.get(value) ?? sums.visitors, value)
    },
  },
  ...tableQuestions,
  ...detailQuestions,
]
export const firstQuestion = 'overview with 11 panels, 30 d'
export const SPAN = {
  days: DAYS,
  from: new Date((LAST_DAY - 29) * DAY_MS).toISOString().slice(0, 10),
  to: new Date(LAST_DAY * DAY_MS).toISOString().slice(0, 10),
}
