/** The whole life of a recommendation: applied, approved, followed, paid, given back, paid out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { affiliates, decide, type Decision, findAffiliate, payOut } from '../../../operations/service/affiliate/index.ts'
import { stripe as stripeOf } from '../../../operations/service/billing/index.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { ownPage, type Reply, request, type Settings, startService, makeSite, type World } from '../../support/world.ts'
import { DAY, type Selling, startSelling } from '../billing/selling.ts'

const outcome = ({ status, body }: Reply) => [status, body?.error?.code]
const program = {
  AFFILIATE_PERCENT: 20,
  AFFILIATE_MONTHS: 2,
  AFFILIATE_HOLD_DAYS: 30,
  AFFILIATE_THRESHOLD_CENTS: 1000,
  SIGN_UP: 'open',
  SMTP_URL: 'smtp://127.0.0.1:1',
}

onAnyEngine('affiliates', engine => {
  let selling: Selling
  before(async () => {
    selling = await startSelling(engine, program)
  })
  after(() => selling.close())

  const own = (world: World, method: string, to = '', body?: unknown) =>
    request(selling.service, method, `/account/affiliate${to}`, { token: world.token, body })
  const decided = async (world: World, decision: Decision, reason: string | null = null) => {
    const { store, clock } = selling.service
    const { account_id } = await findAffiliate(store.read, world.owner.email)
    return store.transaction(trx => decide(trx, { accountId: account_id, decision, now: clock.now, random: randomBytes, reason }))
  }
  const approved = async (body: object = {}) => {
    const world = await selling.world()
    assert.equal((await own(world, 'POST', '', body)).status, 201)
    await decided(world, 'approve')
    const { code } = (await own(world, 'GET')).body.data
    return { world, code }
  }
  /** The mail that was queued last for an address. */
  const mailTo = async (email: string): Promise<string> => {
    const { app, store } = selling.service
    const row = await store.read
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row ? JSON.parse((await app.use(secretBox).unseal(store.read, row.sealed, row.id)) ?? '{}').text : ''
  }
  let people = 0
  /** A person signs up and opens the link. */
  const signUp = async (given: Record<string, string>, { email = `new-${++people}@example.org`, cookie = '' } = {}) => {
    const asked = await request(selling.service, 'POST', '/sign_ups', {
      body: { email, ...given },
      headers: cookie === '' ? {} : { Cookie: cookie },
    })
    assert.equal(asked.status, 201, asked.text)
    const [, token] = /\/sign_ups\/([\w-]+)/.exec(await mailTo(email)) ?? []
    const made = await request(selling.service, 'POST', `/sign_ups/${token}`, {
      body: { password: 'correct horse battery', workspace: 'Theirs' },
      headers: ownPage,
    })
    assert.equal(made.status, 201, made.text)
    const session = /session=([\w-]+)/.exec(made.headers.get('set-cookie') ?? '')?.[1] ?? ''
    return { email, session, workspace: made.body.data.id as string }
  }
  /** A customer who came by a code, with a customer at Stripe. */
  const customerBy = async (code: string) => {
    const person = await signUp({ code })
    const { store, clock } = selling.service
    const customer = `cus_${person.workspace}`
    const nothing = {
      subscription_id: null,
      amount_cents: null,
      currency: null,
      interval: null,
      trial_ends_at: null,
      period_ends_at: null,
      cancels_at: null,
    }
    await store.write
      .insertInto('billing_customers')
      .values({
        ...nothing,
        id: customer,
        workspace_id: person.workspace,
        status: 'none',
        unpaid_since: null,
        blocked_from: null,
        is_discounted: 0,
        due_at: clock.now + 900 * DAY,
        asked: 0,
        attempt: 0,
        leased_until: null,
        read_at: null,
        created_at: clock.now,
      })
      .execute()
    return { ...person, customer }
  }
  const paid = async (customer: string, amounts: object = {}) => {
    const made = selling.stripe.pay(customer, { total: 1190, tax: 190, at: selling.service.clock.now, ...amounts })
    await selling.tell('invoice.paid', made.invoice)
    return made
  }
  const commissions = async (world: World): Promise<[string, string, number, number][]> =>
    (await own(world, 'GET', '/commissions')).body.data
      .map((row: any) => [row.kind, row.status, row.amount_cents, row.basis_cents])
      .reverse()
  const balance = async (world: World) => {
    const [first] = (await own(world, 'GET')).body.data.balances
    return first ? [first.currency, first.pending_cents, first.approved_cents, first.paid_cents] : []
  }
  const pass = async (ms: number) => {
    selling.service.clock.now += ms
    await createScheduler(selling.service.app).runDue(['commissions_approve'])
  }
  const pay = async (world: World) => {
    const { app, store, clock } = selling.service
    const affiliate = await findAffiliate(store.read, world.owner.email)
    return payOut({ store, config: app.config, now: clock.now, random: app.random, stripe: () => app.use(stripeOf)() }, affiliate)
  }

  test('an application is decided by who runs the service', async () => {
    const world = await selling.world()
    const { status, terms, code, referral_url } = (await own(world, 'GET')).body.data
    assert.deepEqual([status, code, referral_url], ['none', null, null])
    assert.deepEqual(terms, { percent: 20, months: 2, hold_days: 30, transfer_threshold_cents: 1000 })
    assert.deepEqual(outcome(await own(world, 'PATCH', '', { payout_method: 'credit' })), [422, 'invalid_state'])
    const applied = await own(world, 'POST', '', { website: 'https://blog.example.com' })
    assert.deepEqual([applied.status, applied.body.data.status, applied.body.data.referral_url], [201, 'pending', null])
    assert.deepEqual(outcome(await own(world, 'POST', '', {})), [422, 'invalid_state'])
    await decided(world, 'reject', 'Too new')
    assert.equal((await own(world, 'GET')).body.data.rejection_reason, 'Too new')
    assert.deepEqual(outcome(await own(world, 'POST', '', {})), [422, 'invalid_state'])
    selling.service.clock.now += 30 * DAY
    assert.equal((await own(world, 'POST', '', {})).status, 201)
    await decided(world, 'approve')
    const record = (await own(world, 'GET')).body.data
    assert.equal(record.referral_url, `http://footfall.test/r/${record.code}`)
    await decided(world, 'suspend')
    const { body: log } = await request(selling.service, 'GET', `/workspaces/${world.ids.workspace}/audit`, { token: world.token })
    const noted = log.data.filter(({ actor }: { actor: string }) => actor === 'affiliates')
    assert.deepEqual(noted.map(({ operation, input }: { operation: string; input: unknown }) => [operation, input]).sort(), [
      ['affiliates_approve', {}],
      ['affiliates_reject', { reason: 'Too new' }],
      ['affiliates_suspend', {}],
    ])
    await assert.rejects(decided(world, 'reject'), /is suspended/)
    assert.equal((await own(world, 'GET')).body.data.referral_url, null)
    assert.ok((await affiliates(selling.service.store.read).execute()).length > 0)
  })

  test('the last code within 60 days counts, however it came', async () => {
    const [first, last] = [await approved(), await approved()]
    const open = async (code: string) => {
      const reply = await request(selling.service, 'GET', `/r/${code}`)
      assert.deepEqual([reply.status, reply.headers.get('location')], [302, 'http://footfall.test/sign-up'])
      return (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    }
    assert.equal(await open('nobodys22'), '')
    const [older, cookie] = [await open(first.code), await open(last.code)]
    await signUp({}, { cookie })
    selling.service.clock.now += 60 * DAY - 1
    await signUp({}, { cookie: older })
    selling.service.clock.now += 1
    await signUp({}, { cookie })
    await signUp({ code: first.code }, { cookie })
    const signups = async (world: World) => (await own(world, 'GET')).body.data.signups
    assert.deepEqual([await signups(first.world), await signups(last.world)], [2, 1])
  })

  test('affiliates earn nothing for themselves, for their own workspace, or while suspended', async () => {
    const { world, code } = await approved()
    await signUp({ code }, { email: world.owner.email.replace('@', '+again@') })
    assert.equal((await own(world, 'GET')).body.data.signups, 0)
    const { customer, workspace } = await customerBy(code)
    await selling.service.store.write
      .insertInto('members')
      .values({
        id: `mem_${workspace}`,
        workspace_id: workspace,
        account_id: world.owner.accountId,
        role: 'viewer',
        active: 1,
        created_at: 1,
      })
      .execute()
    await paid(customer)
    assert.deepEqual(await commissions(world), [])
    await decided(world, 'suspend')
    const other = await signUp({ code })
    assert.ok(other.workspace)
    assert.equal((await own(world, 'GET')).body.data.signups, 1, 'who came while it was approved')
  })

  test('a commission is held, then payable, then paid by transfer', async () => {
    const { world, code } = await approved()
    const { customer } = await customerBy(code)
    await paid(customer, { total: 11_900, tax: 1900 })
    assert.deepEqual(await commissions(world), [['commission', 'pending', 2000, 10_000]])
    assert.deepEqual(await balance(world), ['EUR', 2000, 0, 0])
    assert.equal((await own(world, 'GET')).body.data.customers, 1)
    await pass(30 * DAY - 5000)
    assert.deepEqual(await balance(world), ['EUR', 2000, 0, 0])
    assert.deepEqual(await pay(world), [])
    await pass(3_600_000)
    assert.deepEqual(await balance(world), ['EUR', 0, 2000, 0])
    assert.deepEqual(await Promise.all([pay(world), pay(world)]).then(all => all.flat().filter(each => 'done' in each)), [
      { done: 'transfer', amount: 2000, currency: 'EUR' },
    ])
    assert.deepEqual(await balance(world), ['EUR', 0, 0, 2000])
    const [payout, ...others] = (await own(world, 'GET')).body.data.payouts
    assert.deepEqual([payout.amount_cents, payout.payout_method, payout.status, others.length], [2000, 'transfer', 'paid', 0])
  })

  test('given back while it is held it is void; given back later it is taken back', async () => {
    const { world, code } = await approved()
    const { customer } = await customerBy(code)
    const first = await paid(customer)
    const event = selling.stripe.refund(first.charge, 1190)
    await selling.tell('refund.created', event)
    await selling.tell('charge.refunded', first.charge)
    assert.deepEqual(await commissions(world), [['commission', 'void', 200, 1000]])
    const second = await paid(customer, { total: 11_900, tax: 1900 })
    await selling.tell('refund.created', selling.stripe.refund(second.charge, 1190))
    assert.deepEqual((await commissions(world)).slice(1), [
      ['commission', 'pending', 2000, 10_000],
      ['clawback', 'pending', -200, -1000],
    ])
    await pass(31 * DAY)
    await pay(world)
    assert.deepEqual(await balance(world), ['EUR', 0, 0, 1800])
    await selling.tell('charge.dispute.created', selling.stripe.dispute(second.charge, 10_710, 'needs_response'))
    assert.deepEqual((await commissions(world)).at(-1), ['clawback', 'approved', -1800, -9000])
    assert.deepEqual(await balance(world), ['EUR', 0, -1800, 1800])
    await selling.tell('charge.dispute.closed', selling.stripe.dispute(second.charge, 10_710, 'won'))
    assert.deepEqual((await commissions(world)).at(-1), ['reversal', 'approved', 1800, 9000])
    assert.deepEqual(await balance(world), ['EUR', 0, 0, 1800])
    assert.deepEqual(await pay(world), [], 'nothing is left to pay')
  })

  test('only payments of the first months earn', async () => {
    const { world, code } = await approved()
    const { customer } = await customerBy(code)
    await paid(customer)
    await pass(40 * DAY)
    await paid(customer)
    await pass(40 * DAY)
    await paid(customer)
    assert.equal((await commissions(world)).length, 2)
  })

  test('credit goes to the account of a workspace that pays, once, and is used by its next invoice', async () => {
    const { world, code } = await approved({ payout_method: 'credit' })
    assert.equal((await own(world, 'GET')).body.data.credit_blocked, 'no_subscription')
    const { customer } = await customerBy(code)
    await paid(customer)
    await pass(31 * DAY)
    assert.deepEqual(await pay(world), [{ waits: 'no_subscription', amount: 200, currency: 'EUR' }])
    const theirs = await selling.customer(world)
    const subscription = selling.stripe.subscribe(theirs, 'price_pro')
    await selling.tell('customer.subscription.created', subscription)
    subscription.discounts = ['di_1']
    await selling.tell('customer.subscription.updated', subscription)
    assert.equal((await own(world, 'GET')).body.data.credit_blocked, 'program')
    subscription.discounts = []
    await selling.tell('customer.subscription.updated', subscription)
    assert.equal((await own(world, 'GET')).body.data.credit_blocked, null)
    selling.stripe.trouble = 500
    await assert.rejects(pay(world))
    selling.stripe.trouble = 0
    await pay(world)
    await pay(world)
    const credits = [...(selling.stripe.tables.balance?.values() ?? [])].filter(each => each.customer === theirs)
    assert.deepEqual(
      credits.map(({ amount, currency }) => [amount, currency]),
      [[-200, 'eur']],
    )
    const status = async () => (await own(world, 'GET')).body.data.payouts.map((payout: any) => payout.status)
    assert.deepEqual(await status(), ['applied'])
    selling.service.clock.now += DAY
    await paid(theirs)
    assert.deepEqual(await status(), ['paid'])
  })

  test('two processes that read the same payment at once make one commission', async () => {
    const { world, code } = await approved()
    const { customer } = await customerBy(code)
    const { invoice } = selling.stripe.pay(customer, { total: 1190, tax: 190, at: selling.service.clock.now })
    const { service, stripe } = selling
    await Promise.all(
      ['invoice.paid', 'invoice.payment_succeeded', 'invoice.updated'].map(type => {
        const { body, headers } = stripe.event(type, invoice, service.clock.now)
        return request(service, 'POST', '/webhooks/stripe', { body, headers })
      }),
    )
    await Promise.all([selling.run(), selling.run()])
    assert.deepEqual(await commissions(world), [['commission', 'pending', 200, 1000]])
  })

  test('the box is there for who is approved, and counts who has not opened the link', async () => {
    const { world, code } = await approved()
    const box = async () => (await own(world, 'GET', '/signup-box?theme=dark')).body.data
    const { available, theme, frame_url, script, events, prefill_attributes } = await box()
    assert.deepEqual([available, theme], [true, 'dark'])
    assert.equal(frame_url, `http://footfall.test/sign-up?code=${code}&via=box&embed=1&theme=dark`)
    assert.match(script, /<footfall-signup data-code="\w+" data-theme="dark"><\/footfall-signup>/)
    assert.deepEqual(
      [events, prefill_attributes].map(list => list.map(({ name }: { name: string }) => name)),
      [
        ['footfall:ready', 'footfall:submitted', 'footfall:error'],
        ['data-email', 'data-name'],
      ],
    )
    await request(selling.service, 'POST', '/sign_ups', { body: { email: 'waits@example.org', code, via: 'box' } })
    await signUp({ code, via: 'box' })
    await signUp({ code })
    const { waiting, signups, customers } = await box()
    assert.deepEqual([waiting, signups, customers], [1, 1, 0])
    await decided(world, 'suspend')
    const gone = await box()
    assert.deepEqual([gone.available, gone.frame_url, gone.script, gone.iframe], [false, null, null, null])
  })

  test('without a program, the answer says that there is none', async () => {
    const without: readonly Settings[] = [{}, { STRIPE_SECRET_KEY: 'sk_test_0123456789' }, { AFFILIATE_PERCENT: 20 }]
    for (const settings of without) {
      const service = await startService(engine, settings)
      const world = await makeSite(service)
      const call = (method: string, to = '', body?: unknown) =>
        request(service, method, `/account/affiliate${to}`, { token: world.token, body })
      const { status, terms, balances } = (await call('GET')).body.data
      assert.deepEqual([status, terms.percent, balances], ['none', 0, []])
      assert.deepEqual((await call('GET', '/commissions')).body.data, [])
      assert.equal((await call('GET', '/signup-box')).body.data.available, false)
      const refused = [await call('POST', '', {}), await call('PATCH', '', { payout_method: 'credit' })]
      assert.deepEqual(refused.map(outcome), [
        [422, 'invalid_state'],
        [422, 'invalid_state'],
      ])
      assert.match(
        refused[0]?.body.error.message,
        'AFFILIATE_PERCENT' in settings ? /STRIPE_SECRET_KEY/ : /STRIPE_SECRET_KEY|AFFILIATE_PERCENT/,
      )
      await service.close()
    }
  })
})
