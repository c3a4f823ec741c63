/** Amounts to the minor unit: whatever happens to an invoice, in whatever order, the entries add up to the share of what is left. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../support/properties.ts'
import { basisOf, changeOf, commissionOf, type Entry } from '../../../operations/service/affiliate/owed.ts'
import { afterMonths } from '../../../operations/service/affiliate/settle-invoice.ts'
import { shareOf } from '../../../operations/service/billing/index.ts'

const amounts = fc.integer({ min: 1, max: 100_000_000_000 })
const counted = (entries: readonly Entry[]) => entries.filter(({ status }) => status !== 'void')
const sum = (entries: readonly Entry[], of: (entry: Entry) => number) => counted(entries).reduce((total, entry) => total + of(entry), 0)

test('shares are exact to the unit, half away from zero', () => {
  assert.deepEqual([shareOf(5, 1, 2), shareOf(-5, 1, 2), shareOf(4, 1, 3), shareOf(5, 1, 3), shareOf(7, 3, 0)], [3, -3, 1, 2, 0])
  fc.assert(
    fc.property(amounts, amounts, amounts, (amount, part, whole) => {
      const share = BigInt(shareOf(amount, Math.min(part, whole), whole))
      const twice = 2n * BigInt(amount) * BigInt(Math.min(part, whole)) - 2n * share * BigInt(whole)
      assert.ok(twice <= BigInt(whole) && twice >= -BigInt(whole), 'no other whole number is nearer')
    }),
  )
})

test('a commission is a share of the payment without tax', () => {
  const change = changeOf({ paid: 1071, net: 900, reversed: 0 }, 20, [])
  assert.deepEqual(change, { kind: 'commission', amount: 180, basis: 900 })
  assert.deepEqual(changeOf({ paid: 1071, net: 900, reversed: 0 }, 20, [{ status: 'pending', amount: 180, basis: 900 }]), { kind: 'none' })
})

test('after any refunds and disputes the entries add up, and nothing is left of what was given back whole', () => {
  const step = fc.record({ share: fc.integer({ min: 0, max: 1000 }), moves: fc.constantFrom('approve', 'pay', 'keep') })
  fc.assert(
    fc.property(
      amounts,
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 100 }),
      fc.array(step, { maxLength: 12 }),
      (paid, tax, percent, steps) => {
        const net = paid - shareOf(paid, tax, 2000)
        let entries: Entry[] = []
        for (const { share, moves } of [{ share: 0, moves: 'keep' }, ...steps, { share: 1000, moves: 'keep' }]) {
          const now = { paid, net, reversed: shareOf(paid, share, 1000) }
          const change = changeOf(now, percent, entries)
          if (change.kind === 'void') entries = entries.map(entry => (entry.status === 'pending' ? { ...entry, status: 'void' } : entry))
          else if (change.kind !== 'none') {
            const isPending = entries.length === 0 || entries.some(({ status }) => status === 'pending')
            entries.push({ status: isPending ? 'pending' : 'approved', amount: change.amount, basis: change.basis })
            assert.equal(change.amount < 0, change.kind === 'clawback')
          }
          assert.equal(
            sum(entries, ({ amount }) => amount),
            commissionOf(basisOf(now), percent),
          )
          assert.deepEqual(changeOf(now, percent, entries), { kind: 'none' }, 'told again, nothing changes')
          if (moves !== 'keep')
            entries = entries.map(entry => (entry.status === 'void' ? entry : { ...entry, status: moves === 'pay' ? 'paid' : 'approved' }))
        }
        assert.equal(
          sum(entries, ({ amount }) => amount),
          0,
        )
      },
    ),
  )
})

test('months are calendar months', () => {
  const after = (from: string, months: number) => new Date(afterMonths(Date.parse(from), months)).toISOString()
  assert.equal(after('2026-01-31T10:00:00Z', 1), '2026-02-28T10:00:00.000Z')
  assert.equal(after('2026-03-10T12:00:00Z', 12), '2027-03-10T12:00:00.000Z')
  assert.equal(after('2026-11-30T00:00:00Z', 3), '2027-02-28T00:00:00.000Z')
})
