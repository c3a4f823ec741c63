/** Questions on people over several days: what brought them to a goal, and whether they came back. */
import assert from 'node:assert/strict'
import { PARTS } from '../../../storage/engine/vocabulary/attribution.ts'
import { ask, goals, last, type Question, whole } from './ask.ts'
import { FIRST_DAY, texts } from './dataset.ts'
import * as duck from './duck.ts'

const DAYS = 90
const LOOKBACK_DAYS = 30
const [purchase = assert.fail()] = goals
const WEEKS = 52
const starts = Array.from({ length: WEEKS + 1 }, (_, week) => FIRST_DAY + 7 * week)

export const peopleQuestions: readonly Question[] = [
  {
    ...ask({
      name: 'attribution by channel, 6 models, 90 d',
      bar: 0.5,
      asked: {
        report: 'attribution',
        goal: purchase,
        dimension: 'channel',
        spans: [last(DAYS)],
        lookbackDays: LOOKBACK_DAYS,
        models: duck.attributionModels,
        offset: 0,
        limit: 20,
      },
      statements: duck.attribution('purchase', DAYS, LOOKBACK_DAYS),
    }),
    agrees(answer, [rows = []]) {
      assert.ok(answer.report === 'attribution')
      assert.equal(answer.rows.length, rows.length)
      for (const [id, ...credits] of rows) {
        const found = answer.rows.find(({ value }) => value === texts.channel[Number(id) - 1])?.credits[0] ?? []
        for (const [i, { parts }] of found.entries()) assert.ok(Math.abs(parts / PARTS - Number(credits[i])) < 0.001)
      }
    },
  },
  {
    ...ask({
      name: 'retention by week, 12 mo',
      bar: 0.3,
      asked: {
        report: 'retention',
        starts,
        span: whole(FIRST_DAY, FIRST_DAY + 7 * WEEKS - 1),
        born: null,
        returned: null,
        by: null,
        limit: 10,
      },
      statements: duck.retention(WEEKS),
    }),
    agrees(answer, [rows = []]) {
      assert.ok(answer.report === 'retention')
      const found = new Map(rows.map(([cohort, after, people]) => [`${cohort} ${after}`, Number(people)]))
      for (const [cohort, { cells }] of answer.cohorts.entries())
        for (const [after, { people }] of cells.entries()) assert.equal(people, found.get(`${cohort} ${after}`) ?? 0, `${cohort} ${after}`)
    },
  },
]
