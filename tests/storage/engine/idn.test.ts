import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dimensionOf, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'

/** The label of a referrer. */
function shown(value: string): string {
  const dimension = dimensionOf('referrer')
  assert.ok(dimension)
  return labelOf(dimension, value)
}

test('a host is labelled in letters, with its path', () => {
  const rows = [
    ['xn--bcher-kva.example', 'b\u00fccher.example'],
    ['xn--bcher-kva.example/a/xn--b', 'b\u00fccher.example/a/xn--b'],
    ['shop.xn--mnchen-3ya.example', 'shop.m\u00fcnchen.example'],
    ['xn--r8jz45g.xn--zckzah', '\u4f8b\u3048.\u30c6\u30b9\u30c8'],
    ['xn--e1afmkfd.xn--p1ai', '\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444'],
    ['example.com/xn--bcher-kva', 'example.com/xn--bcher-kva'],
    ['', 'Direct / None'],
    ['xn--', 'xn--'],
    ['xn--99999999999', 'xn--99999999999'],
  ] as const
  for (const [value, label] of rows) assert.equal(shown(value), label, value)
})

test('a host that would pass for another stays in ASCII', () => {
  for (const value of ['xn--80ak6aa92e.com', 'xn--pple-43d.com', 'xn--paypal-4ve.com']) assert.equal(shown(value), value)
})
