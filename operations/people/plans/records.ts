import { type Static, Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { limitFields, type Plan } from './plans-file.ts'

const limits = record('PlanLimits', limitFields, 'What a plan allows; null: no limit.')
export const price = {
  amount_cents: Nullable(Type.Integer({ unit: 'minor_units' }), {
    description: 'Price of an interval, in minor units; null where it costs nothing.',
  }),
  currency: Nullable(Type.String(), { description: 'ISO 4217 currency of the price.' }),
  interval: Nullable(OneOf(['month', 'year']), { description: 'What the price is for.' }),
}
const fields = {
  id: Type.String({ description: 'Id of the plan.' }),
  name: Type.String({ description: 'Its name.' }),
  description: Nullable(Type.String(), { description: 'What it is, in a sentence.' }),
  ...price,
  limits,
}

export const PlanRecord = record(
  'Plan',
  { ...fields, default: Type.Boolean({ description: 'Whether new workspaces have it.' }) },
  'What a workspace may use.',
)

const used = (description: string) => Type.Integer({ unit: 'count', description })
export const WorkspacePlan = record(
  'WorkspacePlan',
  {
    ...fields,
    since: Nullable(DateTime(), { description: 'When the workspace got it; null: it had no other.' }),
    used: record(
      'PlanUse',
      {
        hits_month: used('Pageviews and events of this month (UTC), counted every five minutes.'),
        sites: used('Sites.'),
        members: used('Active members.'),
        ai_questions: used('Questions to the assistant this month (UTC).'),
      },
      'What is used of it.',
    ),
    hits_by_day: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day of this month (UTC).' }),
        hits: used('Pageviews and events of it.'),
      }),
      { description: 'What `used.hits_month` is made of, day by day up to today.' },
    ),
    creates_refused_from: Nullable(DateTime(), { description: 'From when on nothing can be created, as it is not paid; null: never.' }),
  },
  'The plan of a workspace, with what is used of it.',
)

/** Path of the page where plans are paid, if they are sold and the viewer may see it. */
export const billingPath = slot<object, string>('page where a plan is paid')

export function toPlan({ id, name, description, price, limits }: Plan): Omit<Static<typeof PlanRecord>, 'default'> {
  return {
    id,
    name,
    description,
    amount_cents: price?.amount_cents ?? null,
    currency: price?.currency ?? null,
    interval: price?.interval ?? null,
    limits,
  }
}
