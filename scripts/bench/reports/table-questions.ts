/** Tables of two dimensions, with what has to agree between the two. */
import assert from 'node:assert/strict'
import type { AnyQuestion } from '../../../storage/engine/index.ts'
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'
import { texts } from './dataset.ts'
import { ask, last, type Question, whole } from './ask.ts'
import * as duck from './duck.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** The share of DuckDB's time that a table may take. */
const MAX_SHARE = 0.3
const metrics = ['visitors', 'visits', 'pageviews'] as const

const table = (dimensions: readonly string[], points: readonly Span[] | null = null): TableOf['asked'] => ({
  report: 'table',
  dimensions,
  span: last(365),
  compared: null,
  points,
  comparedPoints: null,
  metrics,
  sort: 'visitors',
  offset: 0,
  limit: 10,
})

type Dictionary = keyof typeof texts
const textOf = (dimension: Dictionary, id: unknown): string => (texts[dimension] as readonly string[])[Number(id) - 1] ?? ''

interface TableOf {
  readonly name: string
  readonly asked: AnyQuestion & { readonly report: 'table' }
  readonly statements: string
  /** Dictionaries of the first columns of DuckDB's rows. */
  readonly dictionaries: readonly (Dictionary | null)[]
}

const tableOf = ({ name, asked, statements, dictionaries }: TableOf): Question => ({
  ...ask({ name, bar: MAX_SHARE, asked, statements }),
  agrees(answer, [rows = []]) {
    assert.ok(answer.report === 'table')
    const width = dictionaries.length
    const named = (row: readonly unknown[]) =>
      dictionaries.flatMap((dictionary, i) => (dictionary === null ? [] : [textOf(dictionary, row[i])]))
    const theirs = new Set(rows.map(row => [...named(row), ...row.slice(width, width + 3).map(Number)].join()))
    // Of the rows with as many visitors as the last one, DuckDB may have chosen others.
    const min = answer.rows.at(-1)?.sums.visitors ?? 0
    for (const { values, sums } of answer.rows) {
      const found = theirs.has([...values, sums.visitors, sums.visits, sums.pageviews].join())
      assert.ok(found || sums.visitors === min, `${values.join()} ${sums.visitors}`)
    }
  },
})

const months = () => {
  const starts = Array.from({ length: 13 }, (_, month) => Date.UTC(2024, 10 + month, 1) / DAY_MS)
  return starts.slice(0, 12).map((from, i) => whole(from, (starts[i + 1] ?? 0) - 1))
}

export const tableQuestions: readonly Question[] = [
  tableOf({
    name: 'table by country and device, 12 mo',
    asked: table(['country', 'device']),
    statements: duck.ofPairs('country', 'device'),
    dictionaries: ['country', 'device'],
  }),
  tableOf({
    name: 'table by channel and browser, 12 mo',
    asked: table(['channel', 'browser']),
    statements: duck.ofPairs('channel', 'browser'),
    dictionaries: ['channel', 'browser'],
  }),
  tableOf({
    name: 'table by entry page and country, 12 mo',
    asked: table(['entry_page', 'country']),
    statements: duck.ofPairs('entry_page', 'country'),
    dictionaries: ['page', 'country'],
  }),
  tableOf({
    name: 'table by page and country, 12 mo',
    asked: table(['page', 'country']),
    statements: duck.ofPagesBy('country'),
    dictionaries: ['page', 'country'],
  }),
  tableOf({
    name: 'table by month and channel, 12 mo',
    asked: table(['channel'], months()),
    statements: duck.byMonthAnd('channel'),
    dictionaries: [null, 'channel'],
  }),
]
