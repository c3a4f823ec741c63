/** The file of plans is checked as a whole when the service starts. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { PLANS_FILE } from '../../../operations/people/plans/settings.ts'
import { readConfig } from '../../../runtime/settings/config.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plans-'))
after(() => fs.rmSync(folder, { recursive: true }))

function read(content: unknown) {
  const file = path.join(folder, 'plans.json')
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readConfig({ PLANS_FILE: file }, { PLANS_FILE }).of(PLANS_FILE)
}

test('without a file there is one plan without limits', () => {
  const [plan, ...others] = readConfig({}, { PLANS_FILE }).of(PLANS_FILE)
  assert.deepEqual([plan?.id, plan?.price, others.length], ['self_hosted', null, 0])
  assert.deepEqual(new Set(Object.values(plan?.limits ?? {})), new Set([null]))
})

test('a limit that is left out is none', () => {
  const [free, pro] = read({
    plans: [
      { id: 'free', name: 'Free', limits: { sites: 1 } },
      { id: 'pro', name: 'Pro', price: { amount_cents: 900, currency: 'EUR', interval: 'month' }, stripe_price: 'price_1' },
    ],
  })
  assert.deepEqual([free?.limits.sites, free?.limits.members, pro?.limits.sites], [1, null, null])
  assert.deepEqual([pro?.price?.amount_cents, pro?.stripePrice], [900, 'price_1'])
})

test('all faults of a plans file are reported at once, with their places', () => {
  const faulty = {
    plans: [
      { id: 'Free', name: '', limits: { sites: -1, hits: 5 } },
      { id: 'pro', price: { amount_cents: 9.5, currency: 'euro', interval: 'week' }, stripe_price: 'prod_1' },
    ],
    more: 1,
  }
  assert.throws(
    () => read(faulty),
    ({ message }: Error) => {
      for (const place of [
        '0/id',
        '0/name',
        '0/limits/sites',
        '0/limits/hits',
        '1/name',
        '1/price/amount_cents',
        '1/price/currency',
        '1/price/interval',
        '1/stripe_price',
      ])
        assert.match(message, new RegExp(`/plans/${place}:`), place)
      return /^Configuration: PLANS_FILE: /.test(message) && /\/more: /.test(message)
    },
  )
})

test('a missing plans file, invalid JSON, or a duplicate plan is refused', () => {
  assert.throws(() => readConfig({ PLANS_FILE: path.join(folder, 'absent.json') }, { PLANS_FILE }), /could not be read \(ENOENT\)/)
  assert.throws(() => read('{'), /is not JSON/)
  assert.throws(() => read({ plans: [] }), /must not be empty/)
  const plan = { id: 'a', name: 'A', stripe_price: 'price_1' }
  assert.throws(() => read({ plans: [plan, plan] }), /\/plans\/1\/id: "a" is repeated\. \/plans\/1\/stripe_price/)
})
