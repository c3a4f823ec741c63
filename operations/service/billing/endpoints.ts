import type { Stripe } from 'stripe'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { askAgain } from './customers.ts'
import { STRIPE_WEBHOOK_SECRET } from './settings.ts'
import { idOf } from './snapshot.ts'
import { demandStripe, orUnavailable, stripe } from './stripe.ts'

export const stripe_webhook = endpoint({
  route: 'POST /webhooks/stripe',
  summary: 'Events of Stripe: each triggers another read of a customer',
  access: 'public',
  rate: 'none', // the signature rejects other senders
  async handle(request, app) {
    const { config, store, log } = app
    demandStripe(config)
    const secret = config.of(STRIPE_WEBHOOK_SECRET)
    if (secret === '') fail('invalid_state', 'STRIPE_WEBHOOK_SECRET is not set.')
    const client = await app.use(stripe)()
    const event = verified({
      client,
      body: await request.text(),
      signature: request.header('stripe-signature') ?? '',
      secret,
      now: app.now(),
    })
    const known = await store.read.selectFrom('billing_events').select('id').where('id', '=', event.id).executeTakeFirst()
    if (!known) {
      const customer = await orUnavailable(log, customerIn(client, event))
      await store.transaction(trx => take(trx, { app, event, customer }))
    }
    return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"received":true}' }
  },
})

interface Verified {
  readonly client: Stripe
  readonly body: string
  readonly signature: string
  readonly secret: string
  readonly now: number
}

/** @throws Failure `bad_request` for a signature that does not fit, or is older than five minutes */
function verified({ client, body, signature, secret, now }: Verified): Stripe.Event {
  try {
    return client.webhooks.constructEvent(body, signature, secret, undefined, undefined, now)
  } catch {
    return fail('bad_request', 'The signature of this event does not fit, or is too old.')
  }
}

async function take(
  trx: Parameters<Parameters<HandlerServices['store']['transaction']>[0]>[0],
  { app, event, customer }: { app: HandlerServices; event: Stripe.Event; customer: string | undefined },
) {
  const at = app.now()
  const taken = await trx
    .insertInto('billing_events')
    .values({ id: event.id, type: event.type, received_at: at })
    .onConflict(on => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (taken && customer !== undefined) await askAgain(trx, customer, at)
}

/** The customer that an event concerns. Refunds and disputes name only the charge. */
async function customerIn(client: Stripe, { data }: Stripe.Event): Promise<string | undefined> {
  const object: unknown = data.object
  if (!isObject(object)) return undefined
  if (object.object === 'customer') return textOf(object.id)
  const named = referenceIn(object, 'customer')
  if (named !== undefined) return named
  const charge = referenceIn(object, 'charge')
  return charge === undefined ? undefined : idOf((await client.charges.retrieve(charge)).customer)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const referenceIn = (object: Readonly<Record<string, unknown>>, field: string): string | undefined => {
  const value = object[field]
  return isObject(value) ? textOf(value.id) : textOf(value)
}
