/** The client of Stripe. It is loaded when it is first needed, because most installations sell nothing. */
import type { Stripe } from 'stripe'
import type { Config } from '../../../runtime/settings/config.ts'
import { Failure, fail } from '../../../runtime/table/errors.ts'
import type { Log } from '../../../runtime/observability/log.ts'
import { type Resource, resource } from '../../../runtime/settings/resource.ts'
import { STRIPE_API_URL, STRIPE_SECRET_KEY } from './settings.ts'
import { m } from './messages.ts'

type LazyStripe = () => Promise<Stripe>

/** The client, opened by the first call. */
export const stripe: Resource<LazyStripe> = resource<LazyStripe>({
  name: 'stripe',
  open({ config }) {
    let opened: Promise<Stripe> | undefined
    return () => (opened ??= open(config))
  },
  close: async () => {},
})

/** Whether the installation sells plans. */
export const sellsPlans = (config: Config): boolean => config.of(STRIPE_SECRET_KEY) !== ''

/** @throws Failure `invalid_state` if nothing is sold */
export function demandStripe(config: Config): void {
  if (!sellsPlans(config)) fail('invalid_state', m.sells_nothing())
}

async function open(config: Config): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  const { hostname, port, protocol } = new URL(config.of(STRIPE_API_URL))
  return new Stripe(config.of(STRIPE_SECRET_KEY), {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
  })
}

/**
 * Awaits an answer of Stripe. A fault is logged for the operator, without its message, which may quote a part of the key.
 * @throws Failure `unavailable` with a text of our own
 */
export async function orUnavailable<T>(log: Log, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    log.warn(faultOf(thrown), 'a request to Stripe failed')
    return fail('unavailable', m.no_answer(), { headers: { 'Retry-After': '60' } })
  }
}

/** The fields of a client error that may be logged. */
export function faultOf(thrown: unknown): Readonly<Record<string, unknown>> {
  const field = (name: string): unknown => (thrown instanceof Error && name in thrown ? Reflect.get(thrown, name) : undefined)
  return { type: field('type') ?? field('name'), code: field('code'), status: field('statusCode'), request: field('requestId') }
}
