/**
 * A server that keeps state as Stripe does, for the real client to talk to: customers, subscriptions, invoices, charges,
 * disputes, and the pages that are created. Tests change its state as people and banks would, and send its events.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { randomBytes } from '../../support/chance.ts'
import { withBody } from '../../support/with-body.ts'

type Entry = Record<string, any> & { id: string } // any: as each kind of Stripe's objects has it

export const signingSecret = 'whsec_test_0123456789'
export const settingsOf = ({ url }: StripeServer) => ({
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: signingSecret,
  STRIPE_API_URL: url,
})

export interface StripeServer {
  readonly url: string
  readonly asked: string[]
  readonly tables: Readonly<Record<string, Map<string, Entry>>>
  /** Answers every request with this status, until it is set to 0. */
  trouble: number
  /** Waits for this before it answers; what it answers is read before. */
  hold: Promise<void> | undefined
  subscribe(customer: string, price: string, rest?: object): Entry
  /** An invoice of the customer that was paid by card. */
  pay(
    customer: string,
    amounts: { total: number; tax?: number; paid?: number; at: number; currency?: string },
  ): { invoice: Entry; charge: Entry }
  refund(charge: Entry, amount: number): Entry
  dispute(charge: Entry, amount: number, status: string): Entry
  /** An event as Stripe would send it, with the library's own signature. */
  event(type: string, object: Entry, at: number, id?: string): { id: string; body: string; headers: Record<string, string> }
  close(): Promise<void>
}

const kinds = [
  'customers',
  'subscriptions',
  'invoices',
  'charges',
  'disputes',
  'invoice_payments',
  'checkout',
  'portal',
  'balance',
] as const
const made = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`

export async function startStripe(): Promise<StripeServer> {
  const tables = Object.fromEntries(kinds.map(kind => [kind, new Map<string, Entry>()]))
  const table = (kind: (typeof kinds)[number]): Map<string, Entry> => tables[kind] ?? new Map()
  const asked: string[] = []
  const byKey = new Map<string, { body: string; answer: Entry }>()
  const put = (kind: (typeof kinds)[number], entry: Entry): Entry => {
    table(kind).set(entry.id, entry)
    return entry
  }
  const listOf = (entries: readonly Entry[]) => ({ object: 'list', data: entries.toReversed(), has_more: false, url: '/' })
  const where = (kind: (typeof kinds)[number], query: URLSearchParams, fields: readonly string[]) =>
    listOf(
      [...table(kind).values()].filter(each =>
        fields.every(name => !query.has(name) || query.get(name) === 'all' || each[name] === query.get(name)),
      ),
    )

  function answer(method: string, path: string, query: URLSearchParams, body: URLSearchParams): unknown {
    const [, , kind = '', id = '', rest = ''] = path.split('/')
    const posts = method === 'POST'
    if (kind === 'customers' && rest === 'balance_transactions' && !posts)
      return listOf([...table('balance').values()].filter(each => each.customer === id))
    if (kind === 'customers' && rest === 'balance_transactions')
      return put('balance', {
        id: made('cbtxn'),
        object: 'customer_balance_transaction',
        customer: id,
        amount: Number(body.get('amount')),
        metadata: { payout: body.get('metadata[payout]') },
        currency: body.get('currency'),
      })
    if (kind === 'customers' && posts) {
      const entry =
        id === '' ? { id: made('cus'), object: 'customer', workspace: body.get('metadata[workspace_id]') } : table('customers').get(id)
      return entry && put('customers', { ...entry, ...(body.has('email') && { email: body.get('email') }) })
    }
    if (kind === 'subscriptions' && method === 'DELETE') return Object.assign(table('subscriptions').get(id) ?? {}, { status: 'canceled' })
    if (kind === 'subscriptions') return where('subscriptions', query, ['customer'])
    if (kind === 'invoices') return where('invoices', query, ['customer'])
    if (kind === 'charges') return id === '' ? where('charges', query, ['customer']) : table('charges').get(id)
    if (kind === 'disputes') return where('disputes', query, ['charge'])
    if (kind === 'invoice_payments')
      return listOf(
        [...table('invoice_payments').values()].filter(each => each.payment.payment_intent === query.get('payment[payment_intent]')),
      )
    if (kind === 'checkout') {
      if (rest !== '' && path.endsWith('/expire')) return Object.assign(table('checkout').get(rest) ?? {}, { status: 'expired' })
      if (!posts) return where('checkout', query, ['customer', 'status'])
      const session = made('cs')
      return put('checkout', {
        id: session,
        status: 'open',
        customer: body.get('customer'),
        price: body.get('line_items[0][price]'),
        url: `https://checkout.stripe.com/c/${session}`,
      })
    }
    if (kind === 'billing_portal') {
      const session = made('bps')
      return put('portal', {
        id: session,
        customer: body.get('customer'),
        flow: body.get('flow_data[type]'),
        price: body.get('flow_data[subscription_update_confirm][items][0][price]'),
        url: `https://billing.stripe.com/p/${session}`,
      })
    }
    return undefined
  }

  const server = http.createServer(
    withBody(async (request, response, received) => {
      const url = new URL(request.url ?? '/', 'http://stripe')
      asked.push(`${request.method} ${url.pathname}`)
      const send = (status: number, body: unknown) => {
        response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': made('req'), 'Stripe-Should-Retry': 'false' })
        response.end(JSON.stringify(body))
      }
      if (stripe.trouble) return send(stripe.trouble, { error: { type: 'api_error', message: 'Trouble with sk_test_0123456789' } })
      const body = received.toString()
      const key = request.headers['idempotency-key']
      const before = typeof key === 'string' ? byKey.get(key) : undefined
      if (before && before.body !== body) return send(400, { error: { type: 'idempotency_error', message: 'Another body' } })
      const found = before?.answer ?? answer(request.method ?? '', url.pathname, url.searchParams, new URLSearchParams(body))
      if (typeof key === 'string' && found) byKey.set(key, { body, answer: found as Entry })
      const text = structuredClone(found)
      if (stripe.hold) await stripe.hold
      send(text === undefined ? 404 : 200, text ?? { error: { type: 'invalid_request_error', message: `Nothing at ${url.pathname}` } })
    }),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const library = new Stripe('sk_test_0123456789')

  const stripe: StripeServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    tables,
    trouble: 0,
    hold: undefined,
    subscribe: (customer, price, rest = {}) =>
      put('subscriptions', {
        id: made('sub'),
        object: 'subscription',
        customer,
        status: 'active',
        created: table('subscriptions').size + 1,
        trial_end: null,
        cancel_at: null,
        cancel_at_period_end: false,
        discounts: [],
        items: {
          object: 'list',
          data: [
            {
              id: made('si'),
              current_period_end: 1_780_000_000,
              price: { id: price, unit_amount: 900, currency: 'eur', recurring: { interval: 'month' } },
            },
          ],
        },
        ...rest,
      }),
    pay(customer, { total, tax = 0, paid = total, at, currency = 'eur' }) {
      const intent = made('pi')
      const invoice = put('invoices', {
        id: made('in'),
        object: 'invoice',
        customer,
        number: `F-${table('invoices').size + 1}`,
        status: 'paid',
        currency,
        total,
        total_excluding_tax: total - tax,
        amount_paid: paid,
        created: Math.floor(at / 1000),
        status_transitions: { paid_at: Math.floor(at / 1000) },
        hosted_invoice_url: 'https://invoice.stripe.com/i/1',
        invoice_pdf: 'https://pay.stripe.com/invoice/1/pdf',
      })
      const charge = put('charges', {
        id: made('ch'),
        object: 'charge',
        customer,
        amount: paid,
        amount_refunded: 0,
        disputed: false,
        payment_intent: intent,
        currency,
      })
      put('invoice_payments', {
        id: made('inpay'),
        object: 'invoice_payment',
        invoice: invoice.id,
        payment: { type: 'payment_intent', payment_intent: intent },
      })
      return { invoice, charge }
    },
    refund(charge, amount) {
      charge.amount_refunded += amount
      return { id: made('re'), object: 'refund', charge: charge.id, amount }
    },
    dispute(charge, amount, status) {
      charge.disputed = true
      const open = [...table('disputes').values()].find(each => each.charge === charge.id)
      return Object.assign(open ?? put('disputes', { id: made('du'), object: 'dispute', charge: charge.id, amount }), { status })
    },
    event(type, object, at, id = made('evt')) {
      const body = JSON.stringify({ id, object: 'event', type, created: Math.floor(at / 1000), data: { object } })
      const signature = library.webhooks.generateTestHeaderString({
        payload: body,
        secret: signingSecret,
        timestamp: Math.floor(at / 1000),
      })
      return { id, body, headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json' } }
    },
    close: () =>
      new Promise(done => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return stripe
}
