/** The queries about one thing, with what has to agree between the two. */
import assert from 'node:assert/strict'
import type { Answer } from '../../../storage/engine/index.ts'
import { KINDS } from '../../../operations/reports/insights/records.ts'
import { LAST_DAY, texts } from './dataset.ts'
import * as duck from './duck-details.ts'
import type { Rows } from './duck.ts'
import { ask, days, goals, last, type Question, whole } from './ask.ts'

const [purchase, signup, landing] = goals
if (!purchase || !signup || !landing) throw new Error('a goal is missing')
/** `/p/19/landing` */
const LANDING = 20
const NARROW = 0.15
const WIDE = 0.5

const numbers = (rows: Rows | undefined, from = 0, to?: number): number[][] =>
  (rows ?? []).map(row => row.slice(from, to).map(value => (value === null ? 0 : Number(value))))
const pageOf = (id: number | undefined): string | undefined => (id === undefined || id === 0 ? undefined : texts.page[id - 1])

/** Checks an answer of this report. */
const of =
  <R extends Answer['report']>(report: R, check: (answer: Extract<Answer, { report: R }>, rows: readonly Rows[]) => void) =>
  (answer: Answer, rows: readonly Rows[]): void => {
    assert.ok(answer.report === report)
    check(answer as Extract<Answer, { report: R }>, rows) // checked in the line above
  }

const span = last(30)
const before = whole(LAST_DAY - 59, LAST_DAY - 30)
const compared = null

export const detailQuestions: readonly Question[] = [
  {
    ...ask({
      name: 'journeys, 30 d',
      bar: NARROW,
      asked: { report: 'journeys', mode: 'forward', at: null, span, compared, limit: 10 },
      statements: duck.journeys(30),
    }),
    agrees: of('journeys', ({ paths }, [rows]) => {
      const found = paths.filter(({ pages }) => pages !== null).map(({ visits }) => visits)
      assert.deepEqual(found, numbers(rows, 3).flat())
    }),
  },
  {
    ...ask({
      name: 'funnel of 3 steps, 30 d',
      bar: WIDE,
      asked: { report: 'funnel', steps: [landing, signup, purchase], span, compared },
      statements: duck.funnel(30, [`event=0 and page=${LANDING}`, 'event=2', 'event=1']),
    }),
    agrees: of('funnel', ({ now: { all, steps } }, [rows]) => {
      assert.deepEqual(
        [all, ...steps].map(({ visits, visitors }) => [visits, visitors]),
        numbers(rows, 1),
      )
    }),
  },
  {
    ...ask({
      name: 'detail of an event with 3 properties, 30 d',
      bar: WIDE,
      asked: {
        report: 'event',
        name: 'form_submit',
        span,
        compared,
        series: [days(30), []],
        properties: ['variant', 'button', 'value'],
        limit: 25,
      },
      statements: duck.eventDetail('form_submit', ['variant', 'button', 'value'], 30),
    }),
    agrees: of('event', ({ sums, series: [points], pages, properties }, rows) => {
      const [all, byDay, byPage, , ...byValue] = rows
      assert.deepEqual([sums.events, sums.visits, sums.visitors, sums.revenue], numbers(all, 0, 4)[0])
      assert.deepEqual(
        points.filter(({ events }) => events > 0).map(({ events, visits, visitors }) => [events, visits, visitors]),
        numbers(byDay, 1, 4),
      )
      assert.deepEqual(
        pages.map(row => row.sums.events),
        numbers(byPage, 1, 2).flat(),
      )
      for (const [i, values] of properties.entries()) {
        assert.deepEqual(
          values.map(row => row.sums.events),
          numbers(byValue[i], 1, 2).flat(),
        )
      }
    }),
  },
  {
    ...ask({
      name: 'experiment, 30 d',
      bar: WIDE,
      asked: { report: 'experiment', property: 'variant', goal: purchase, control: 'val-0', limit: 20, span, compared },
      statements: duck.experiment('variant', 'purchase', 30),
    }),
    agrees: of('experiment', ({ variants }, [rows]) => {
      const visitors = new Map(numbers(rows).map(([value = 0, count]) => [texts.prop_value[value - 1], count]))
      for (const { value, now } of variants) assert.equal(now.visitors, visitors.get(value) ?? now.visitors, value)
      assert.ok(variants.filter(({ value }) => visitors.has(value)).length > 10)
    }),
  },
  {
    ...ask({
      name: 'detail of a page, 30 d',
      bar: NARROW,
      asked: { report: 'page', path: '/p/19/landing', span, compared, limit: 10 },
      statements: duck.pageDetail(LANDING, 30),
    }),
    agrees: of('page', ({ now: { sums }, previous, next, events }, [all, cameFrom, wentTo, sent]) => {
      assert.deepEqual([sums.pageviews, sums.visits, sums.visitors], numbers(all)[0])
      for (const [found, rows] of [
        [previous, cameFrom],
        [next, wentTo],
      ] as const) {
        const times = new Map(found.pages.map(({ value, times }) => [value ?? undefined, times]))
        for (const [page, count] of numbers(rows)) {
          assert.equal(page === 0 ? found.none : (times.get(pageOf(page)) ?? count), count)
        }
      }
      assert.equal(
        events.reduce((sum, row) => sum + row.sums.events, 0),
        numbers(sent, 1, 2)
          .flat()
          .reduce((sum, count) => sum + count, 0),
      )
    }),
  },
  {
    ...ask({
      name: 'insights, 30 d',
      bar: WIDE,
      asked: {
        report: 'several',
        each: [
          { report: 'totals', series: [[span], [before]] },
          ...KINDS.map(
            dimension =>
              ({
                report: 'changes',
                dimension,
                span,
                compared: before,
                min: 10,
                limit: 10,
                maxLength: 1_000,
                blank: dimension === 'source',
              }) as const,
          ),
        ],
      },
      statements: duck.changes(30, LAST_DAY),
    }),
    agrees: of('several', ({ each: [counted, ...changed] }, [all, pages, countries]) => {
      assert.ok(counted?.report === 'totals')
      const totals = counted.series.flat().map(({ visitors, visits, pageviews }) => [visitors, visits, pageviews])
      assert.deepEqual(totals, presentFirst(rowsOf(all)))
      for (const [kind, rows, names] of [
        ['page', pages, texts.page],
        ['country', countries, texts.country],
      ] as const) {
        const found = changed[KINDS.indexOf(kind)]
        assert.ok(found?.report === 'changes')
        const known = new Map(numbers(rows).map(([id = 0, now, then]) => [names[id - 1], [now, then]]))
        for (const { value, now, before: then } of found.changes) assert.deepEqual([now, then], known.get(value) ?? [now, then], value)
      }
    }),
  },
]

const rowsOf = (rows: Rows | undefined): number[][] => numbers(rows, 0, 4)
const presentFirst = (rows: number[][]): number[][] => rows.toSorted(([a = 0], [b = 0]) => b - a).map(row => row.slice(1))
