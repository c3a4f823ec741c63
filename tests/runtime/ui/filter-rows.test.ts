/** Conditions of reports as rows of a form, and as people read them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionWords } from '../../../runtime/ui/conditions.ts'
import { conditionsFrom, rowsOf } from '../../../runtime/ui/filter-rows.ts'
import { sentCondition } from '../../../runtime/ui/toolbar.tsx'

const base = 'https://stats.example.com/sites/pa_1/overview'
const sent = (query: Readonly<Record<string, string | readonly string[]>>) => {
  const url = new URL(base)
  for (const [name, value] of Object.entries(query)) for (const each of [value].flat()) url.searchParams.append(name, each)
  const to = sentCondition(url)
  return to === undefined ? undefined : JSON.parse(new URL(to, base).searchParams.get('filters') ?? '[]')
}

test('The form adds a condition, and several values make one condition', () => {
  assert.deepEqual(sent({ where: 'country', how: 'is', what: 'DE' }), [['country', 'is', 'DE']])
  assert.deepEqual(sent({ where: 'country', how: 'is', what: ['DE', 'FR', '', 'DE'] }), [['country', 'any_of', ['DE', 'FR']]])
  assert.deepEqual(sent({ where: 'country', how: 'is_not', what: ['DE', 'FR'] }), [['country', 'none_of', ['DE', 'FR']]])
  assert.deepEqual(sent({ where: 'page', how: 'contains', what: ['a', 'b'] }), [
    {
      any: [
        ['page', 'contains', 'a'],
        ['page', 'contains', 'b'],
      ],
    },
  ])
  assert.deepEqual(sent({ where: 'page', how: 'not_contains', what: ['a', 'b'] }), [
    ['page', 'not_contains', 'a'],
    ['page', 'not_contains', 'b'],
  ])
})

test('A property has its key in a field of its own, and numbers are numbers', () => {
  assert.deepEqual(sent({ where: 'property', which: ' plan ', how: 'is', what: 'pro' }), [['property:plan', 'is', 'pro']])
  assert.deepEqual(sent({ where: 'property:size', how: 'between', what: ['1', '5.5'] }), [['property:size', 'between', [1, 5.5]]])
  assert.deepEqual(sent({ where: 'property:size', how: 'gt', what: 'much' }), [['property:size', 'gt', 'much']])
})

test('A duration is typed in seconds and minutes, is milliseconds in the address, and is read as it is written', () => {
  for (const [typed, ms] of [
    ['90', 90_000],
    ['1m 30s', 90_000],
    ['1:30', 90_000],
    ['1,5 Min', 90_000],
    ['2 Std', 7_200_000],
    ['500 ms', 500],
  ] as const)
    assert.deepEqual(sent({ where: 'visit_duration', how: 'gt', what: typed }), [['visit_duration', 'gt', ms]], typed)
  assert.deepEqual(sent({ where: 'visit_duration', how: 'gt', what: 'long' }), [['visit_duration', 'gt', 'long']])
  const condition = ['visit_duration', 'between', [30_000, 3_690_000]]
  assert.deepEqual(rowsOf(condition)?.rows[0]?.values, ['30s', '1h 1m 30s'])
  assert.equal(conditionWords(condition, { locale: 'en' }), 'Visit duration between 30s – 1h 1m')
  assert.equal(conditionWords(['visit_pageviews', 'gt', 3], { locale: 'en' }), 'Pages of the visit above 3')
})

test('Rows are joined by and or or; an empty row counts for nothing, an empty value means that there is none', () => {
  const two = { where: 'country', what: 'DE', where_2: 'browser', what_2: 'Firefox', where_3: 'page', what_3: '' }
  assert.deepEqual(sent(two), [
    ['country', 'is', 'DE'],
    ['browser', 'is', 'Firefox'],
  ])
  assert.deepEqual(sent({ ...two, joined: 'any' }), [
    {
      any: [
        ['country', 'is', 'DE'],
        ['browser', 'is', 'Firefox'],
      ],
    },
  ])
  assert.deepEqual(sent({ where: 'utm_campaign', what: '' }), [['utm_campaign', 'is', '']])
  assert.equal(sent({ where: 'country' }), undefined)
  assert.equal(sent({ what: 'DE' }), undefined)
})

test('A changed condition takes the place of the one before; the same condition is not there twice', () => {
  const filters = JSON.stringify([
    ['country', 'is', 'DE'],
    ['page', 'is', '/'],
  ])
  const changed = { filters, instead: '0', where: 'country', what: 'FR' }
  assert.deepEqual(sent(changed), [
    ['country', 'is', 'FR'],
    ['page', 'is', '/'],
  ])
  assert.deepEqual(sent({ filters, where: 'country', what: 'DE' }), [
    ['page', 'is', '/'],
    ['country', 'is', 'DE'],
  ])
  assert.deepEqual(sent({ filters, instead: '7', where: 'os', what: 'Linux' })?.length, 3)
  assert.deepEqual(sent({ filters: '{', where: 'os', what: 'Linux' }), [['os', 'is', 'Linux']])
})

test('A condition that the form has made can be changed with it, any other only taken off', () => {
  const made = [
    [['country', 'is', 'DE']],
    [['country', 'none_of', ['DE', 'FR']]],
    [
      {
        any: [
          ['page', 'contains', 'a'],
          ['page', 'contains', 'b'],
        ],
      },
    ],
    [
      {
        any: [
          ['page', 'is', '/a'],
          ['country', 'is', 'DE'],
        ],
      },
    ],
    [['property:size', 'between', [1, 5]]],
  ]
  for (const [condition] of made) {
    const rows = rowsOf(condition)
    assert.deepEqual(rows && conditionsFrom(rows), [condition])
  }
  for (const other of [{ all: [['page', 'is', '/']] }, { any: [{ any: [] }] }, 'DE', null, ['page', 'is']])
    assert.equal(rowsOf(other), undefined)
})

test('Several values read as one sentence', () => {
  const said = (condition: unknown) => conditionWords(condition, { locale: 'en' })
  assert.equal(said(['country', 'any_of', ['DE', 'FR', 'AT']]), 'Country is Germany, France or Austria')
  assert.equal(
    said({
      any: [
        ['page', 'contains', 'a'],
        ['page', 'contains', 'b'],
      ],
    }),
    'Page contains a or b',
  )
  assert.equal(
    said({
      any: [
        ['page', 'is', '/a'],
        ['country', 'is', 'DE'],
      ],
    }),
    'Page is /a or Country is Germany',
  )
  assert.equal(said(['property:plan', 'is', 'pro']), 'plan is pro')
})
