/** The price of a plan or subscription in words, and the dates of a subscription. */
import type { Static } from '@sinclair/typebox'
import { instant, money, type Viewer } from '../../../runtime/ui/format.ts'
import { isKey, say } from '../../../runtime/ui/languages/index.ts'
import type { Billing } from './records.ts'

type Subscription = Static<typeof Billing>
type Price = Pick<Subscription, 'amount_cents' | 'currency' | 'interval'>

export function priceWords({ amount_cents, currency, interval }: Price, viewer: Viewer): string {
  if (amount_cents === null || currency === null) return say(viewer, 'costs_nothing')
  const amount = money(amount_cents, { ...viewer, currency })
  const each = `each_${interval}`
  return isKey(each) ? say(viewer, each, { amount }) : amount
}

const dates = [
  ['cancels_at', 'ends_on'],
  ['trial_ends_at', 'trial_until'],
  ['unpaid_since', 'unpaid_from'],
  ['period_ends_at', 'renews_on'],
] as const

export function SubscriptionDates({ data, viewer }: { data: Subscription; viewer: Viewer }) {
  if (data.status === 'none' || data.status === 'canceled') return null
  return (
    <>
      {dates.map(([field, key]) => {
        const at = data[field]
        // A cancelled subscription does not renew.
        if (at === null || (field === 'period_ends_at' && data.cancels_at !== null)) return null
        return <p class="help">{say(viewer, key, { when: instant(at, viewer) })}</p>
      })}
    </>
  )
}
