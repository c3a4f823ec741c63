/** Questions on people over several days: what brought them to a goal. */
import assert from 'node:assert/strict'
import { PARTS } from '../../../storage/engine/vocabulary/attribution.ts'
import { ask, goals, last, type Question } from './ask.ts'
import { texts } from './dataset.ts'
import * as duck from './duck.ts'

const DAYS = 90
const LOOKBACK_DAYS = 30
const [purchase = assert.fail()] = goals

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
]
