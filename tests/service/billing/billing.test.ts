/** Subscriptions through the real client of Stripe, against a server that keeps state as Stripe does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { openStore } from '../../../storage/store.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, type Reply, request, startService, type World } from '../../support/world.ts'
import { DAY, type Selling, startSelling } from './selling.ts'

const outcome = ({ status, body }: Reply) => [status, body?.error?.code]

onAnyEngine('billing', engine => {
  let selling: Selling
  before(async () => {
    selling = await startSelling(engine)
  })
  after(() => selling.close())

  const subscribed = async (price = 'price_pro', rest: object = {}) => {
    const world = await selling.world()
    const customer = await selling.customer(world)
    const subscription = selling.stripe.subscribe(customer, price, rest)
    await selling.tell('customer.subscription.created', subscription)
    return { world, customer, subscription }
  }
  const addNote = (world: World) =>
    request(selling.service, 'POST', `/sites/${world.ids.site}/notes`, { token: world.token, body: { text: 'x' } })

  test('choosing a plan opens a payment page, and a payment gives the workspace the plan', async () => {
    const world = await selling.world()
    const { provider, status } = await selling.billing(world)
    assert.deepEqual([provider, status, (await selling.plan(world)).id], ['stripe', 'none', 'free'])
    const reply = await selling.call(world, 'POST', '/billing/checkout', { plan: 'pro' })
    assert.equal(reply.status, 201)
    assert.match(reply.body.data.url, /^https:\/\/checkout\.stripe\.com\//)
    assert.match(reply.headers.get('cache-control') ?? '', /no-store/)
    const customer = await selling.customer(world)
    const made = [...(selling.stripe.tables.customers?.values() ?? [])].filter(each => each.workspace === world.ids.workspace)
    assert.deepEqual(
      made.map(({ email }) => email),
      [world.owner.email],
      'one customer for the workspace',
    )
    const open = [...(selling.stripe.tables.checkout?.values() ?? [])].filter(each => each.customer === customer && each.status === 'open')
    assert.equal(open.length, 1, 'only the last payment page can be paid')
    const subscription = selling.stripe.subscribe(customer, 'price_pro')
    selling.stripe.pay(customer, { total: 1071, tax: 171, at: selling.service.clock.now })
    await selling.tell('customer.subscription.created', subscription)
    const billing = await selling.billing(world)
    assert.deepEqual(
      [billing.status, billing.plan, billing.amount_cents, billing.currency, billing.interval, billing.cancels_at],
      ['active', 'pro', 900, 'EUR', 'month', null],
    )
    assert.equal((await selling.plan(world)).limits.sites, 3)
    const [invoice] = (await selling.call(world, 'GET', '/billing/invoices')).body.data
    assert.deepEqual([invoice.total_cents, invoice.paid_cents, invoice.currency, invoice.status], [1071, 1071, 'EUR', 'paid'])
    const audit = (await request(selling.service, 'GET', `/workspaces/${world.ids.workspace}/audit`, { token: world.token })).body
    const entry = audit.data?.find(({ actor }: { actor: string }) => actor === 'Stripe')
    assert.deepEqual(entry?.input, { status: 'active', plan: 'pro' })
  })

  test('with a subscription, checkout opens the page that confirms the change', async () => {
    const { world, subscription } = await subscribed()
    const again = await selling.call(world, 'POST', '/billing/checkout', { plan: 'pro' })
    assert.deepEqual(outcome(again), [422, 'invalid_state'])
    const reply = await selling.call(world, 'POST', '/billing/checkout', { plan: 'big' })
    assert.match(reply.body.data.url, /^https:\/\/billing\.stripe\.com\//)
    const last = [...(selling.stripe.tables.portal?.values() ?? [])].at(-1)
    assert.deepEqual([last?.flow, last?.price], ['subscription_update_confirm', 'price_big'])
    subscription.items.data[0].price.id = 'price_big'
    await selling.tell('customer.subscription.updated', subscription)
    assert.deepEqual([(await selling.billing(world)).plan, (await selling.plan(world)).limits.sites], ['big', null])
  })

  test('an event that Stripe repeats is stored once, and an older event changes nothing', async () => {
    const { world, subscription, customer } = await subscribed()
    const old = structuredClone(subscription)
    subscription.status = 'canceled'
    const { stripe, service } = selling
    const event = stripe.event('customer.subscription.deleted', subscription, service.clock.now)
    const send = () => request(service, 'POST', '/webhooks/stripe', { body: event.body, headers: event.headers })
    assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
    const { asked } = await service.store.read
      .selectFrom('billing_customers')
      .select('asked')
      .where('id', '=', customer)
      .executeTakeFirstOrThrow()
    assert.equal(asked, 2, 'created, and deleted once')
    await selling.run()
    assert.equal((await selling.billing(world)).status, 'canceled')
    await selling.tell('customer.subscription.updated', { ...old, status: 'active' })
    assert.deepEqual([(await selling.billing(world)).status, (await selling.plan(world)).id], ['canceled', 'free'])
  })

  test('an event with a wrong or an old signature is refused', async () => {
    const { stripe, service } = selling
    const { body, headers } = stripe.event('invoice.paid', { id: 'in_1', customer: 'cus_1' }, service.clock.now)
    const send = (text: string, given: Record<string, string>) =>
      request(service, 'POST', '/webhooks/stripe', { body: text, headers: given })
    assert.equal((await send(`${body} `, headers)).status, 400)
    assert.equal((await send(body, { 'Content-Type': 'application/json' })).status, 400)
    const old = stripe.event('invoice.paid', { id: 'in_1', customer: 'cus_1' }, service.clock.now - 301_000)
    assert.equal((await send(old.body, old.headers)).status, 400)
    assert.equal((await send(body, headers)).status, 200, 'of a customer that is not ours nothing follows')
  })

  test('records can be created for 14 days after a payment failed, and again once it is paid', async () => {
    const { world, subscription } = await subscribed()
    const { clock } = selling.service
    subscription.status = 'past_due'
    await selling.tell('invoice.payment_failed', { id: 'in_x', object: 'invoice', customer: subscription.customer })
    const failed = clock.now
    const { status, unpaid_since, creates_refused_from } = await selling.billing(world)
    assert.deepEqual([status, Date.parse(unpaid_since), Date.parse(creates_refused_from)], ['past_due', failed, failed + 14 * DAY])
    clock.now = failed + 14 * DAY - 1
    await selling.run()
    assert.equal((await addNote(world)).status, 201)
    clock.now += 1
    assert.deepEqual(outcome(await addNote(world)), [422, 'limit_reached'])
    assert.equal((await selling.plan(world)).id, 'pro', 'its plan stays')
    assert.equal((await selling.call(world, 'POST', '/billing/portal', {})).status, 201, 'paying stays possible')
    subscription.status = 'active'
    await selling.tell('invoice.paid', { id: 'in_x', object: 'invoice', customer: subscription.customer })
    assert.equal((await addNote(world)).status, 201)
    assert.equal((await selling.billing(world)).unpaid_since, null)
    subscription.status = 'unpaid'
    await selling.tell('customer.subscription.updated', subscription)
    assert.deepEqual(outcome(await addNote(world)), [422, 'limit_reached'], 'unpaid for good')
    clock.now += DAY
    await selling.run()
    assert.equal(Date.parse((await selling.billing(world)).creates_refused_from), clock.now - DAY)
  })

  test('a trial and a cancelled subscription keep the plan until their end', async () => {
    const ends = 1_774_000_000
    const { world, subscription } = await subscribed('price_pro', { status: 'trialing', trial_end: ends })
    const trial = await selling.billing(world)
    assert.deepEqual([trial.status, Date.parse(trial.trial_ends_at), trial.plan], ['trialing', ends * 1000, 'pro'])
    Object.assign(subscription, { status: 'active', cancel_at_period_end: true })
    await selling.tell('customer.subscription.updated', subscription)
    const after = await selling.billing(world)
    assert.deepEqual([after.status, Date.parse(after.cancels_at), after.plan], ['active', 1_780_000_000_000, 'pro'])
    subscription.status = 'canceled'
    await selling.tell('customer.subscription.deleted', subscription)
    assert.deepEqual([(await selling.plan(world)).id, (await selling.plan(world)).creates_refused_from], ['free', null])
  })

  test('a subscription is read again after a day, and later if Stripe answers with an error', async () => {
    const { world, subscription } = await subscribed()
    subscription.status = 'canceled'
    selling.service.clock.now += DAY
    selling.stripe.trouble = 500
    await selling.run()
    assert.equal((await selling.billing(world)).status, 'active')
    const refused = await selling.call(world, 'POST', '/billing/portal', {})
    assert.deepEqual(outcome(refused), [503, 'unavailable'])
    assert.doesNotMatch(refused.text, /sk_/)
    selling.stripe.trouble = 0
    selling.service.clock.now += 60_000
    await selling.run()
    assert.equal((await selling.billing(world)).status, 'canceled')
  })

  test('a customer that changes while it is read is read again', async () => {
    const { world, subscription } = await subscribed()
    const { stripe, service } = selling
    let go = () => {}
    stripe.hold = new Promise(done => {
      go = done
    })
    const { body, headers } = stripe.event('customer.subscription.updated', subscription, service.clock.now)
    await request(service, 'POST', '/webhooks/stripe', { body, headers })
    const before = stripe.asked.length
    const reading = selling.run()
    while (stripe.asked.length === before) await new Promise(done => setTimeout(done, 5))
    subscription.status = 'canceled' // after it was read, and before that is stored
    const next = stripe.event('customer.subscription.deleted', subscription, service.clock.now)
    await request(service, 'POST', '/webhooks/stripe', { body: next.body, headers: next.headers })
    stripe.hold = undefined
    go()
    await reading
    await selling.run()
    assert.equal((await selling.billing(world)).status, 'canceled')
  })

  test('two processes that receive the same event at once store it once', async () => {
    const { customer, subscription } = await subscribed()
    const { service, stripe } = selling
    const store = openStore(service.url, { connections: 2 })
    const other = createApp({ ...service.app, store, random: service.app.random, now: () => service.clock.now })
    const { createWeb } = await import('../../../adapters/http/http.ts')
    const { mounts } = await import('../../../adapters/index.ts')
    const second = { ...service, app: other, web: createWeb(other, mounts) }
    const asked = () =>
      service.store.read.selectFrom('billing_customers').select('asked').where('id', '=', customer).executeTakeFirstOrThrow()
    const before = (await asked()).asked
    const { body, headers } = stripe.event('customer.subscription.updated', subscription, service.clock.now)
    const replies = await Promise.all(
      [service, second, service, second].map(each => request(each, 'POST', '/webhooks/stripe', { body, headers })),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal((await asked()).asked, before + 1)
    await Promise.all([selling.run(), createScheduler(other).runDue(['billing_read'])])
    await other.close()
    await store.close()
  })

  test('the subscriptions of a deleted workspace are cancelled, also later ones', async () => {
    const { world, subscription, customer } = await subscribed()
    selling.stripe.trouble = 500
    const gone = await selling.call(world, 'DELETE', '', { confirm: 'Acme' })
    assert.equal(gone.status, 200)
    await selling.run()
    assert.equal(subscription.status, 'active', 'Stripe could not be asked')
    selling.stripe.trouble = 0
    selling.service.clock.now += 120_000
    await selling.run()
    assert.equal(subscription.status, 'canceled')
    const late = selling.stripe.subscribe(customer, 'price_pro')
    await selling.tell('customer.subscription.created', late)
    assert.equal(late.status, 'canceled')
  })

  test('a subscription that begins while the subscriptions of a deleted workspace are cancelled is cancelled, too', async () => {
    const { world, customer } = await subscribed()
    const { stripe, service } = selling
    /** Holds the next answer, and releases the one before. @returns once it is asked for */
    let release = () => {}
    const held = async () => {
      const [before, releaseLast] = [stripe.asked.length, release]
      stripe.hold = new Promise(done => {
        release = done
      })
      releaseLast()
      while (stripe.asked.length === before) await new Promise(done => setTimeout(done, 5))
    }
    await selling.call(world, 'DELETE', '', { confirm: 'Acme' })
    const asked = held()
    const ending = selling.run()
    await asked
    while (stripe.asked.at(-1) !== 'GET /v1/subscriptions') await held() // first the payment pages that are open
    service.clock.now += 1_000
    const late = stripe.subscribe(customer, 'price_pro')
    const { body, headers } = stripe.event('customer.subscription.created', late, service.clock.now)
    await request(service, 'POST', '/webhooks/stripe', { body, headers })
    stripe.hold = undefined
    release()
    await ending
    await selling.run()
    assert.equal(late.status, 'canceled')
  })

  test('every member sees the plan, and only members with the permission may pay', async () => {
    const world = await selling.world()
    const viewer = await world.tokenFor('viewer')
    const as = (to: string, method = 'GET') =>
      request(selling.service, method, `/workspaces/${world.ids.workspace}${to}`, { token: viewer, ...(method === 'POST' && { body: {} }) })
    assert.deepEqual(
      [(await as('/plan')).status, (await as('/billing')).status, (await as('/billing/portal', 'POST')).status],
      [200, 403, 403],
    )
    assert.deepEqual(outcome(await selling.call(world, 'POST', '/billing/checkout', { plan: 'free' })), [422, 'validation_failed'])
    assert.deepEqual(outcome(await selling.call(world, 'POST', '/billing/portal', {})), [422, 'invalid_state'])
  })

  test('without STRIPE_SECRET_KEY, every operation that sells is refused and names the setting', async () => {
    const service = await startService(engine)
    const world = await makeSite(service)
    const call = (method: string, to: string, body?: unknown) =>
      request(service, method, `/workspaces/${world.ids.workspace}${to}`, { token: world.token, body })
    const { provider, status, plan } = (await call('GET', '/billing')).body.data
    assert.deepEqual([provider, status, plan], ['none', 'none', 'self_hosted'])
    for (const to of ['/billing/checkout', '/billing/portal']) {
      const reply = await call('POST', to, to.endsWith('checkout') ? { plan: 'pro' } : {})
      assert.deepEqual(outcome(reply), [422, 'invalid_state'])
      assert.match(reply.body.error.message, /STRIPE_SECRET_KEY/)
    }
    assert.deepEqual((await call('GET', '/billing/invoices')).body.data, [])
    assert.deepEqual(outcome(await request(service, 'POST', '/webhooks/stripe', { body: '{}' })), [422, 'invalid_state'])
    await service.close()
  })
})
