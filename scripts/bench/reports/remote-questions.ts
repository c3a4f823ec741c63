/** Filtered questions about a whole year, which ClickHouse counts itself, and the same in DuckDB: bar twice its time. */
import assert from 'node:assert/strict'
import type { AnyQuestion } from '../../../operations/reports/stats/index.ts'
import type { Answer } from '../../../storage/engine/index.ts'
import { ask, days, last, type Question, test, type Where } from './ask.ts'
import type { Rows } from './duck.ts'
import * as duck from './duck.ts'

const BAR = 2

const totals: AnyQuestion = { report: 'totals', series: [[last(365)]] }
const breakdown = (dimension: string): AnyQuestion => ({
  report: 'breakdown',
  dimension,
  span: last(365),
  compared: null,
  sort: 'visitors',
  offset: 0,
  limit: 10,
})

const fromGermany = test('country', 'is', 'DE')
const german: Where = [fromGermany]
const germanFirefox: Where = [...german, test('browser', 'is', 'Firefox')]
const [country, firefox, searched] = [`country=${duck.id('country', 'DE')}`, `browser=${duck.id('browser', 'Firefox')}`, 'Organic Search']
const page = '/docs/section-16/topic-16'

const sums = (answer: Answer) =>
  answer.report === 'totals' ? answer.series[0]?.[0] : answer.report === 'breakdown' ? answer.all : undefined

/** Visitors and visits in the first row of the last statement are ours. */
const agrees =
  (name: string) =>
  (answer: Answer, rows: readonly Rows[]): void =>
    assert.deepEqual([sums(answer)?.visitors, sums(answer)?.visits], rows.at(-1)?.[0]?.slice(0, 2).map(Number), name)
const on = (name: string, asked: AnyQuestion, where: Where, ...statements: string[]): Question => ({
  ...ask({ name, bar: BAR, asked, statements, where }),
  agrees: agrees(name),
})

/** A breakdown says what all visits together had as well. */
export const remoteQuestions: readonly Question[] = [
  on('aggregate, country', totals, german, duck.totalsWhere(country)),
  {
    ...ask({
      name: 'series by day, country',
      bar: BAR,
      asked: { report: 'totals', series: [days(365)] },
      statements: duck.byDayWhere(country),
      where: german,
    }),
    agrees(answer, [rows]) {
      const found = answer.report === 'totals' ? answer.series[0] : undefined
      assert.deepEqual(
        found?.filter(({ visits }) => visits > 0).map(({ visitors, visits }) => [visitors, visits]), // DuckDB has no row for the others
        rows?.map(row => row.slice(1, 3).map(Number)),
      )
    },
  },
  on(
    'aggregate, two countries',
    totals,
    [{ ...fromGermany, values: ['DE', 'FR'] }],
    duck.totalsWhere(`country in (${duck.id('country', 'DE')}, ${duck.id('country', 'FR')})`),
  ),
  on('aggregate, all but a country', totals, [{ ...fromGermany, operator: 'is_not' }], duck.totalsWhere(`not ${country}`)),
  on('aggregate, country and browser', totals, germanFirefox, duck.totalsWhere(`${country} and ${firefox}`)),
  on(
    'aggregate, visits that saw a page',
    totals,
    [test('page', 'is', page)],
    duck.sawWhere(`event=0 and page=${duck.id('page', page)}`, 365),
  ),
  on('aggregate, visits that saw /docs', totals, [test('page', 'contains', '/docs')], duck.sawPages('/docs', 365)),
  on('aggregate, visits with an event', totals, [test('event', 'is', 'signup')], duck.sawWhere(`event=${duck.eventId('signup')}`, 365)),
  on('pages, country', breakdown('page'), german, duck.ofHits('page', 365, `event=0 and ${country}`), duck.totalsWhere(country)),
  on(
    'pages, country and browser',
    breakdown('page'),
    germanFirefox,
    duck.ofHits('page', 365, duck.fromCountryWithBrowser('DE', 'Firefox')),
    duck.totalsWhere(`${country} and ${firefox}`),
  ),
  on(
    'pages, channel',
    breakdown('page'),
    [test('channel', 'is', searched)],
    duck.ofHits('page', 365, duck.fromChannel(searched)),
    duck.totalsWhere(`channel=${duck.id('channel', searched)}`),
  ),
  on(
    'countries, browser',
    breakdown('country'),
    [test('browser', 'is', 'Firefox')],
    duck.ofVisitsWhere('country', firefox),
    duck.totalsWhere(firefox),
  ),
  on('referrers, country', breakdown('referrer'), german, duck.ofVisitsWhere('referrer', country), duck.totalsWhere(country)),
]
