/** The client of Stripe: loaded when it is first needed, because most installations sell nothing. */
import type { Stripe } from 'stripe'
import type { Config } from '../../../runtime/settings/config.ts'
import { Failure, fail } from '../../../runtime/table/errors.ts'
import type { Log } from '../../../runtime/observability/log.ts'
import { type Resource, resource } from '../../../runtime/settings/resource.ts'
import { STRIPE_API_URL, STRIPE_SECRET_KEY } from './settings.ts'
import { m } from './messages.ts'

type Lazy = () => Promise<Stripe>

export const stripe: Resource<Lazy> = resource<Lazy>({
  name: 'stripe',
  open({ config }) {
    let opened: Promise<Stripe> | undefined
    return () => (opened ??= open(config))
  },
  close: async () => {},
})

export const sells = (config: Config): boolean => config.of(STRIPE_SECRET_KEY) !== ''

/** @throws Failure `invalid_state` if nothing is sold */
export function demandStripe(config: Config): void {
  if (!sells(config)) fail('invalid_state', m.sells_nothing())
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

/** A refusal by Stripe is logged for the operator; its message may quote a part of the key, so callers get a shorter message. */
export async function orUnavailable<T>(log: Log, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    log.warn(faultOf(thrown), 'Stripe gave no answer')
    return fail('unavailable', m.no_answer(), { headers: { 'Retry-After': '60' } })
  }
}

/** The fields of a client error that may be logged. */
export function faultOf(thrown: unknown): Readonly<Record<string, unknown>> {
  const of = (name: string): unknown => (thrown instanceof Error && name in thrown ? Reflect.get(thrown, name) : undefined)
  return { type: of('type') ?? of('name'), code: of('code'), status: of('statusCode'), request: of('requestId') }
}
