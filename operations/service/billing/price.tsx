/** The price of a plan or subscription as text, and the dates of a subscription. */
import type { Static } from '@sinclair/typebox'
import { instant, money, type Viewer } from '../../../runtime/ui/format.ts'
import type { Billing } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Subscription = Static<typeof Billing>
type Price = Pick<Subscription, 'amount_cents' | 'currency' | 'interval'>

/** Returns a price such as `€9.00 a month`. */
export function priceText({ amount_cents, currency, interval }: Price, viewer: Viewer): string {
  if (amount_cents === null || currency === null) return say(viewer, m.costs_nothing)
  const amount = money(amount_cents, { ...viewer, currency })
  const priceEach = interval === 'month' ? m.each_month : interval === 'year' ? m.each_year : undefined
  return priceEach ? say(viewer, priceEach({ amount })) : amount
}

const dates = [
  ['cancels_at', m.ends_on],
  ['trial_ends_at', m.trial_until],
  ['unpaid_since', m.unpaid_from],
  ['period_ends_at', m.renews_on],
] as const

export function SubscriptionDates({ data, viewer }: { data: Subscription; viewer: Viewer }) {
  if (data.status === 'none' || data.status === 'canceled') return null
  return (
    <>
      {dates.map(([field, message]) => {
        const at = data[field]
        // A cancelled subscription does not renew.
        if (at === null || (field === 'period_ends_at' && data.cancels_at !== null)) return null
        return <p class="help">{say(viewer, message({ when: instant(at, viewer) }))}</p>
      })}
    </>
  )
}
