/** The commission on an invoice, and the ledger entries that lead to it. Amounts are whole minor units. */
import { shareOf } from '../billing/index.ts'

export interface Paid {
  /** Amount paid, with tax. */
  readonly paid: number
  /** Amount paid, without tax. */
  readonly net: number
  /** Amount refunded or disputed, with tax. */
  readonly reversed: number
}

export interface Entry {
  readonly status: 'pending' | 'approved' | 'paid' | 'void'
  readonly amount: number
  readonly basis: number
}

export type Change =
  | { readonly kind: 'none' }
  /** All pending entries of this invoice become void, because they were never earned. */
  | { readonly kind: 'void' }
  | { readonly kind: 'commission' | 'clawback' | 'reversal'; readonly amount: number; readonly basis: number }

/** The remaining payment without tax. A refund contains tax in the same proportion as the payment. */
export const basisOf = ({ paid, net, reversed }: Paid): number => net - shareOf(Math.min(reversed, paid), net, paid)

/** The affiliate's share of a basis, to the nearest minor unit, half away from zero. */
export const commissionOf = (basis: number, percent: number): number => shareOf(basis, percent, 100)

/**
 * Returns the next entry of an invoice, so that the sum of all entries is the share of the remaining payment. Rounding
 * differences of earlier entries are corrected, so a payment that is refunded in parts leaves nothing.
 */
export function changeOf(paid: Paid, percent: number, entries: readonly Entry[]): Change {
  const counted = entries.filter(({ status }) => status !== 'void')
  const sum = (of: (entry: Entry) => number): number => counted.reduce((total, entry) => total + of(entry), 0)
  const basis = basisOf(paid)
  const [amount, moved] = [commissionOf(basis, percent) - sum(entry => entry.amount), basis - sum(entry => entry.basis)]
  if (amount === 0) return { kind: 'none' }
  if (entries.length === 0) return { kind: 'commission', amount, basis: moved }
  if (amount > 0) return { kind: 'reversal', amount, basis: moved }
  const isAllPending = counted.every(({ status }) => status === 'pending')
  return basis === 0 && isAllPending ? { kind: 'void' } : { kind: 'clawback', amount, basis: moved }
}
