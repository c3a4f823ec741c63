/** Reads and checks the file of plans at the start. */
import fs from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Name, Nullable, OneOf, optional, type Unit } from '../../../runtime/table/schema.ts'
import { SettingFault } from '../../../runtime/settings/setting.ts'
import { faultsOf } from '../../../runtime/table/validate.ts'

const limit = (min: number, description: string, unit: Unit = 'count') =>
  Nullable(Type.Integer({ minimum: min, maximum: 1_000_000_000_000, unit }), { description: `${description}; null: no limit.` })

export const limitFields = {
  hits_month: limit(1, 'Pageviews and events in a calendar month (UTC); further ones are kept, and reported by usage.threshold'),
  sites: limit(0, 'Sites'),
  members: limit(1, 'Active members and open invitations'),
  min_interval_seconds: limit(30, 'Shortest interval of uptime checks', 'seconds'),
  ai_questions: limit(0, 'Questions to the assistant in a calendar month (UTC)'),
  retention_days: limit(31, 'Number of full days for which visits and hits are kept', 'days'),
}
export type Limits = { readonly [K in keyof typeof limitFields]: number | null }
export const noLimits: Limits = Object.freeze({
  hits_month: null,
  sites: null,
  members: null,
  min_interval_seconds: null,
  ai_questions: null,
  retention_days: null,
})

const closed = { additionalProperties: false } as const

const Price = Type.Object(
  {
    amount_cents: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
    currency: Type.String({ format: 'currency' }),
    interval: OneOf(['month', 'year']),
  },
  closed,
)
const PlanEntry = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
    name: Name({ maxLength: 100 }),
    description: optional(Name({ maxLength: 500 })),
    price: optional(Price),
    stripe_price: optional(Type.String({ pattern: '^price_\\w{1,200}$' })),
    limits: optional(
      Type.Object(Object.fromEntries(Object.entries(limitFields).map(([name, schema]) => [name, optional(schema)])), closed),
    ),
  },
  closed,
)
const PlansFile = Type.Object({ plans: Type.Array(PlanEntry, { minItems: 1, maxItems: 50 }) }, closed)

export interface Plan {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly price: Static<typeof Price> | null
  /** Null if the plan is not sold through Stripe. */
  readonly stripePrice: string | null
  readonly limits: Limits
}

/** The single plan of an installation that sells nothing. */
export const selfHosted: Plan = Object.freeze({
  id: 'self_hosted',
  name: 'Self-hosted',
  description: null,
  price: null,
  stripePrice: null,
  limits: noLimits,
})

/**
 * Reads the plans of a file. The first one applies to new workspaces.
 * @throws SettingFault with all faults of the file
 */
export function readPlans(path: string): readonly Plan[] {
  const given = parsed(path)
  const faults = faultsOf(PlansFile, given).map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
  if (faults.length > 0) throw new SettingFault(`${path} is not a list of plans: ${faults.join(' ')}`)
  const { plans } = given as Static<typeof PlansFile> // checked above
  const repeats = [...repeated(plans, 'id'), ...repeated(plans, 'stripe_price')]
  if (repeats.length > 0) throw new SettingFault(`${path}: ${repeats.join(' ')}`)
  return plans.map(({ id, name, description = null, price = null, stripe_price = null, limits = {} }) => ({
    id,
    name,
    description,
    price,
    stripePrice: stripe_price,
    limits: { ...noLimits, ...limits },
  }))
}

function parsed(path: string): unknown {
  let text: string
  try {
    text = fs.readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new SettingFault(`${path} could not be read (${thrown instanceof Error && 'code' in thrown ? thrown.code : 'unknown'})`)
  }
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new SettingFault(`${path} is not JSON: ${thrown instanceof Error ? thrown.message : ''}`)
  }
}

function repeated<K extends 'id' | 'stripe_price'>(plans: readonly { readonly [P in K]?: string | undefined }[], field: K): string[] {
  const values = plans.map(plan => plan[field])
  return values.flatMap((value, i) =>
    value !== undefined && values.indexOf(value) < i ? [`/plans/${i}/${field}: "${value}" is repeated.`] : [],
  )
}
