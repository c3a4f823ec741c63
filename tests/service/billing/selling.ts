/** A service that sells two plans through the server of the tests. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import type { Engine } from '../../support/engines.ts'
import { makeSite, type Reply, request, type Settings, startService, type TestService, type World } from '../../support/world.ts'
import { settingsOf, type StripeServer, startStripe } from './stripe-server.ts'

export const DAY = 86_400_000

export interface Selling {
  readonly service: TestService
  readonly stripe: StripeServer
  world(): Promise<World>
  call(world: World, method: string, to: string, body?: unknown): Promise<Reply>
  billing(world: World): Promise<any>
  plan(world: World): Promise<any>
  /** The customer that a world is, once it has opened the payment page. */
  customer(world: World): Promise<string>
  /** Sends an event of Stripe and does what follows of it. */
  tell(type: string, object: any): Promise<Reply>
  run(): Promise<void>
  close(): Promise<void>
}

export async function startSelling(engine: Engine, settings: Settings = {}): Promise<Selling> {
  const stripe = await startStripe()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plans-'))
  const file = path.join(folder, 'plans.json')
  const price = { amount_cents: 900, currency: 'EUR', interval: 'month' }
  const plans = [
    { id: 'free', name: 'Free', limits: { sites: 1 } },
    { id: 'pro', name: 'Pro', price, stripe_price: 'price_pro', limits: { sites: 3 } },
    { id: 'big', name: 'Big', price: { ...price, amount_cents: 4900 }, stripe_price: 'price_big' },
  ]
  fs.writeFileSync(file, JSON.stringify({ plans }))
  const service = await startService(engine, { ...settingsOf(stripe), PLANS_FILE: file, ...settings })
  const scheduler = createScheduler(service.app)
  const call: Selling['call'] = (world, method, to, body) =>
    request(service, method, `/workspaces/${world.ids.workspace}${to}`, { token: world.token, body })
  const run = async () => {
    await scheduler.runDue(['billing_read', 'billing_end'])
  }
  return {
    service,
    stripe,
    world: () => makeSite(service),
    call,
    billing: async world => (await call(world, 'GET', '/billing')).body.data,
    plan: async world => (await call(world, 'GET', '/plan')).body.data,
    async customer(world) {
      await call(world, 'POST', '/billing/checkout', { plan: 'pro' })
      const found = await service.store.read
        .selectFrom('billing_customers')
        .select('id')
        .where('workspace_id', '=', world.ids.workspace ?? '')
        .executeTakeFirstOrThrow()
      return found.id
    },
    async tell(type, object) {
      service.clock.now += 1 // so that what follows of two events has an order
      const { body, headers } = stripe.event(type, object, service.clock.now)
      const reply = await request(service, 'POST', '/webhooks/stripe', { body, headers })
      await run()
      return reply
    },
    run,
    async close() {
      await service.close()
      await stripe.close()
      fs.rmSync(folder, { recursive: true })
    },
  }
}
