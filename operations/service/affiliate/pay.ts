/** Pays out commissions: as credit on the account of a workspace, or as a recorded bank transfer that a person makes. */
import type { Stripe } from 'stripe'
import type { Config } from '../../../runtime/settings/config.ts'
import { makeUuid } from '../../../runtime/values/ids.ts'
import type { Store } from '../../../storage/store.ts'
import type { AffiliatePayoutRow } from '../../../storage/tables/affiliate.ts'
import { type Block, creditPlaceOf } from './credit.ts'
import type { KnownAffiliate } from './decide.ts'
import { balancesOf } from './records.ts'
import { lockAffiliate } from './affiliate-rows.ts'
import { AFFILIATE_THRESHOLD_CENTS } from './settings.ts'

export interface Paying {
  readonly store: Store
  readonly config: Config
  readonly now: number
  random(size: number): Buffer
  stripe(): Promise<Stripe>
}

export type Outcome =
  | { readonly done: 'applied' | 'transfer'; readonly amount: number; readonly currency: string }
  | { readonly waits: Block | 'currency' | 'threshold'; readonly amount: number; readonly currency: string }

/** Pays each currency separately. First sends credits that Stripe has not received yet. */
export async function payOut(paying: Paying, affiliate: KnownAffiliate): Promise<Outcome[]> {
  const { store } = paying
  await takeBackCredits(store, affiliate.account_id)
  await sendCredits(paying, affiliate.account_id)
  const outcomes: Outcome[] = []
  for (const { currency, approved_cents } of await balancesOf(store.read, affiliate.account_id)) {
    if (approved_cents <= 0 || affiliate.status !== 'approved') continue
    outcomes.push(await payCurrency(paying, affiliate, currency))
  }
  await sendCredits(paying, affiliate.account_id)
  return outcomes
}

async function payCurrency({ store, config, now, random }: Paying, { account_id }: KnownAffiliate, currency: string): Promise<Outcome> {
  return store.transaction(async (trx): Promise<Outcome> => {
    const row = await lockAffiliate(trx, account_id)
    const rows = await trx
      .selectFrom('affiliate_commissions')
      .select(['id', 'amount_cents'])
      .where('affiliate_id', '=', account_id)
      .where('status', '=', 'approved')
      .where('currency', '=', currency)
      .execute()
    const amount = rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    const isCredit = row?.payout_method === 'credit'
    if (amount <= 0 || row?.status !== 'approved' || (!isCredit && amount < config.of(AFFILIATE_THRESHOLD_CENTS)))
      return { waits: 'threshold', amount, currency }
    const place = isCredit ? await creditPlaceOf(trx, account_id) : undefined
    if (place && 'blocked' in place) return { waits: place.blocked, amount, currency }
    if (place && place.currency !== currency) return { waits: 'currency', amount, currency }
    const payout: AffiliatePayoutRow = {
      id: makeUuid(random(16)),
      affiliate_id: account_id,
      amount_cents: amount,
      currency,
      payout_method: isCredit ? 'credit' : 'transfer',
      status: isCredit ? 'applied' : 'paid',
      workspace_id: place?.workspaceId ?? null,
      credited_at: null,
      created_at: now,
      paid_at: isCredit ? null : now,
    }
    await trx.insertInto('affiliate_payouts').values(payout).execute()
    await trx
      .updateTable('affiliate_commissions')
      .set({ status: 'paid', paid_at: now, payout_id: payout.id })
      .where('affiliate_id', '=', account_id)
      .where('status', '=', 'approved')
      .where('currency', '=', currency)
      .execute()
    return { done: isCredit ? 'applied' : 'transfer', amount, currency }
  })
}

/** If a workspace was deleted before Stripe received its credit, the commissions become payable again. */
async function takeBackCredits(store: Store, affiliateId: string): Promise<void> {
  await store.transaction(async trx => {
    await lockAffiliate(trx, affiliateId)
    const lost = await trx
      .deleteFrom('affiliate_payouts')
      .where('affiliate_id', '=', affiliateId)
      .where('payout_method', '=', 'credit')
      .where('credited_at', 'is', null)
      .where('workspace_id', 'not in', trx.selectFrom('billing_customers').select('workspace_id'))
      .returning('id')
      .execute()
    for (const { id } of lost)
      await trx
        .updateTable('affiliate_commissions')
        .set({ status: 'approved', paid_at: null, payout_id: null })
        .where('payout_id', '=', id)
        .execute()
  })
}

/**
 * Puts credits on the accounts at Stripe. After a crash, a repeated request creates no second entry: Stripe remembers the key
 * for a day, and older entries are found by the id of the payout.
 */
async function sendCredits({ store, stripe, now }: Paying, affiliateId: string): Promise<void> {
  const unsentCredits = await store.read
    .selectFrom('affiliate_payouts as p')
    .innerJoin('billing_customers as b', 'b.workspace_id', 'p.workspace_id')
    .selectAll('p')
    .select('b.id as customer')
    .where('p.affiliate_id', '=', affiliateId)
    .where('p.payout_method', '=', 'credit')
    .where('p.credited_at', 'is', null)
    .execute()
  for (const { id, customer, amount_cents, currency } of unsentCredits) {
    const client = await stripe()
    const { data } = await client.customers.listBalanceTransactions(customer, { limit: 100 })
    if (!data.some(({ metadata }) => metadata?.payout === id)) {
      await client.customers.createBalanceTransaction(
        customer,
        { amount: -amount_cents, currency: currency.toLowerCase(), description: 'Affiliate commissions', metadata: { payout: id } },
        { idempotencyKey: `footfall-payout-${id}` },
      )
    }
    await store.write.updateTable('affiliate_payouts').set({ credited_at: now }).where('id', '=', id).execute()
  }
}
