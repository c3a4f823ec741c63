import { CreatesRefused } from '../../people/plans/components.tsx'
import { billingPath, PlanRecord } from '../../people/plans/records.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { fill } from '../../../runtime/ui/slot.ts'
import { listOf, view } from '../../../runtime/ui/view.ts'
import { Invoices } from './invoices.tsx'
import { billing_checkout_create, billing_get, billing_invoices_list } from './operations.ts'
import { priceText, SubscriptionDates } from './price.tsx'
import { affiliateLink, Billing } from './records.ts'
import { PlanTile } from './plan-tile.tsx'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

const MAX_INVOICES = 12

/** The subscription of a workspace, the plans to choose from, and its invoices. */
export const billing = view(Billing, async ({ data, page }) => {
  const { viewer, url } = page
  if (data.provider !== 'stripe') return <p class="card">{say(viewer, m.nothing_sold)}</p>
  const [plans = [], invoices = [], affiliate] = await Promise.all([
    page.ask(listOf(PlanRecord)),
    page.ask(billing_invoices_list, { per_page: MAX_INVOICES }),
    page.fill(affiliateLink, {}),
  ])
  const checkout = page.offered(billing_checkout_create)
  return {
    ...(checkout && { brings: [checkout] }),
    content: (
      <>
        <CreatesRefused from={data.creates_refused_from} now={page.now} viewer={viewer} />
        <section class="card" aria-labelledby="subscription">
          <div class="between">
            <h2 id="subscription">{plans.find(({ id }) => id === data.plan)?.name ?? data.plan}</h2>
            {data.status !== 'none' && <Tag value={data.status} viewer={viewer} />}
          </div>
          <p>{priceText(data, viewer)}</p>
          <SubscriptionDates data={data} viewer={viewer} />
        </section>
        <section aria-labelledby="plans">
          <h2 id="plans">{say(viewer, m.plans)}</h2>
          <ul class="tiles">
            {plans.map(plan => (
              <PlanTile plan={plan} isCurrent={plan.id === data.plan} checkout={checkout && `${url.pathname}/checkout`} viewer={viewer} />
            ))}
          </ul>
        </section>
        <Invoices invoices={invoices} all={page.pathOf(billing_invoices_list)} viewer={viewer} />
        {affiliate}
      </>
    ),
  }
})

/** The page of the subscription, if this installation sells plans and the viewer may see it. */
export const pathOfBilling = fill(billingPath, async ({ page }) => {
  const data = await page.ask(billing_get)
  return data?.provider === 'stripe' ? page.pathOf(billing_get) : undefined
})
