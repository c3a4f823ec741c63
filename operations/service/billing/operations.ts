import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { planOf, plansOf } from '../../people/plans/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { customerOf, findOrMakeCustomer } from './customers.ts'
import { Billing, BillingLink, Invoice, toBilling, toInvoice } from './records.ts'
import { isLive, readSnapshot } from './snapshot.ts'
import { demandStripe, orUnavailable, sellsPlans, stripe } from './stripe.ts'
import { m } from './messages.ts'

export const billing_get = operation({
  route: 'GET /workspaces/{workspace_id}/billing',
  summary: 'Get the subscription of a workspace',
  title: 'Billing',
  place: 'plan',
  access: 'billing.manage',
  surfaces: ['http'],
  on: workspace,
  effect: 'read',
  input: {},
  output: Billing,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, config, workspace }) {
    const { plan } = await planOf(db, config, workspace.id)
    return toBilling(await customerOf(db, workspace.id), plan.id, sellsPlans(config))
  },
})

export const billing_checkout_create = operation({
  route: 'POST /workspaces/{workspace_id}/billing/checkout',
  summary: 'Choose a plan: go on to the payment page',
  offered: { provider: ['stripe'] },
  description: 'If the workspace has a subscription, the page asks to confirm the change and its cost.',
  access: 'billing.manage',
  surfaces: ['http'],
  rate: 'costly',
  on: workspace,
  effect: 'create',
  input: { plan: Type.String({ maxLength: 40, description: 'Id of the plan; `plans_list` has them.' }) },
  output: BillingLink,
  secrets: ['url'],
  onward: 'url',
  examples: [{ input: { workspace_id: '{{workspace}}', plan: 'pro' } }],
  async prepare({ config, store, log, use, workspace, caller, input, now }) {
    demandStripe(config)
    const sold = plansOf(config).filter(({ stripePrice }) => stripePrice !== null)
    const price = sold.find(({ id }) => id === input.plan)?.stripePrice
    if (!price) {
      failWith([{ pointer: '/plan', code: 'not_found', message: m.plan_must_be({ plans: sold.map(({ id }) => id).join(', ') || 'none' }) }])
    }
    const back = `${config.BASE_URL}/workspaces/${workspace.id}/billing`
    const url = await orUnavailable(log, chosen())
    return { url: url ?? fail('unavailable') }

    async function chosen(): Promise<string | null> {
      const client = await use(stripe)()
      const customer = await findOrMakeCustomer({ store, stripe: client, now }, workspace, caller.member.email)
      const { subscription } = await readSnapshot(client, customer)
      if (subscription && isLive(subscription)) {
        if (subscription.priceId === price) return fail('invalid_state', m.has_this_plan())
        const item = { id: subscription.itemId ?? '', price: price ?? '', quantity: 1 }
        const session = await client.billingPortal.sessions.create({
          customer,
          return_url: back,
          flow_data: {
            type: 'subscription_update_confirm',
            subscription_update_confirm: { subscription: subscription.id, items: [item] },
            after_completion: { type: 'redirect', redirect: { return_url: back } },
          },
        })
        return session.url
      }
      // When payment pages are open in two tabs, only the last one can be paid.
      const { data: open } = await client.checkout.sessions.list({ customer, status: 'open', limit: 100 })
      for (const { id } of open) await client.checkout.sessions.expire(id)
      const session = await client.checkout.sessions.create({
        mode: 'subscription',
        customer,
        client_reference_id: workspace.id,
        line_items: [{ price: price ?? '', quantity: 1 }],
        success_url: back,
        cancel_url: back,
        subscription_data: { metadata: { workspace_id: workspace.id } },
      })
      return session.url
    }
  },
  run: async ({ url }) => ({ url }),
})

export const billing_portal_create = operation({
  route: 'POST /workspaces/{workspace_id}/billing/portal',
  summary: 'Change the means of payment, or cancel: go on to the payment service',
  label: 'Payment and cancellation',
  offered: { status: ['trialing', 'active', 'past_due', 'unpaid', 'canceled'] },
  access: 'billing.manage',
  surfaces: ['http'],
  rate: 'costly',
  on: workspace,
  effect: 'create',
  input: {},
  output: BillingLink,
  secrets: ['url'],
  onward: 'url',
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async prepare({ config, log, store, use, workspace }) {
    demandStripe(config)
    const customer = await customerOf(store.read, workspace.id)
    if (!customer) fail('invalid_state', m.never_subscribed())
    const open = async () =>
      (await use(stripe)()).billingPortal.sessions.create({
        customer: customer.id,
        return_url: `${config.BASE_URL}/workspaces/${workspace.id}/billing`,
      })
    return { url: (await orUnavailable(log, open())).url }
  },
  run: async ({ url }) => ({ url }),
})

export const billing_invoices_list = list({
  route: 'GET /workspaces/{workspace_id}/billing/invoices',
  summary: 'List invoices',
  empty: {
    says: 'Invoices appear here with their files.',
    like: [
      ['2026-10', '€ 19'],
      ['2026-09', '€ 19'],
    ],
  },
  title: 'Invoices',
  place: 'aside',
  description: 'Newest first.',
  access: 'billing.manage',
  surfaces: ['http'],
  on: workspace,
  effect: 'read',
  input: {},
  of: Invoice,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page }) {
    const all = db.selectFrom('billing_invoices').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toInvoice), total }
  },
})
