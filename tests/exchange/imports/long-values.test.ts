/** Long values of a file that fit no pattern. A reader whose time grows with the square of their length does not end here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyNames } from '../../../operations/exchange/imports/names/names.ts'
import { goatcounterCsv } from '../../../operations/exchange/imports/sources/goatcounter-csv.ts'
import { matomo } from '../../../operations/exchange/imports/sources/matomo.ts'
import { isObject } from '../../../runtime/values/json.ts'

const LENGTH = 500_000

test('A long name without a version stays as it is', () => {
  const name = `${'/'.repeat(LENGTH)}x`
  assert.deepEqual(anyNames.browser(name, ''), { name, version: '' })
})

test('GoatCounter: long browsers and referrers are read in one pass', () => {
  const browser = `a${' '.repeat(LENGTH)}b`
  const referrer = `${'.'.repeat(LENGTH)} x`
  const record = { '2Path': '/', Event: '0', Session: 's', Date: '2025-03-02T10:00:00Z', System: '', Browser: browser, Referrer: referrer }
  const [hit = {}] = goatcounterCsv.convert?.(record, () => {}) ?? []
  assert.ok(isObject(hit))
  assert.deepEqual([hit.browser, hit.source], [browser, referrer])
})

test('Matomo: a custom variable whose field is long has no name', () => {
  const customVariables = { 1: { [`customVariable${'1'.repeat(LENGTH)}x`]: 'a', customVariableValue1: 'b' } }
  const actionDetails = [{ type: 'action', url: 'https://a.example/', timestamp: 1_740_000_000 }]
  const [hit = {}] = matomo.convert?.({ idVisit: '1', customVariables, actionDetails }, () => {}) ?? []
  assert.ok(isObject(hit))
  assert.deepEqual([hit.name, hit.url, hit.props], ['pageview', 'https://a.example/', undefined])
})
