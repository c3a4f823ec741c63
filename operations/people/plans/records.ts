import { type Static, Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { limitFields, type Plan } from './plans-file.ts'

const limits = record('PlanLimits', limitFields, 'Limits of a plan. Null: no limit.')
export const price = {
  amount_cents: Nullable(Type.Integer({ unit: 'minor_units' }), {
    description: 'Price per interval, in minor units; null if the plan is free.',
  }),
  currency: Nullable(Type.String(), { description: 'ISO 4217 currency of the price.' }),
  interval: Nullable(OneOf(['month', 'year']), { description: 'Billing interval of the price.' }),
}
const fields = {
  id: Type.String({ description: 'Id of the plan.' }),
  name: Type.String({ description: 'Name of the plan.' }),
  description: Nullable(Type.String(), { description: 'Description in one sentence.' }),
  ...price,
  limits,
}

export const PlanRecord = record(
  'Plan',
  { ...fields, default: Type.Boolean({ description: 'Whether new workspaces get this plan.' }) },
  'A plan with its limits and price.',
)

const used = (description: string) => Type.Integer({ unit: 'count', description })
export const WorkspacePlan = record(
  'WorkspacePlan',
  {
    ...fields,
    since: Nullable(DateTime(), { description: 'When the workspace got the plan. Null: it has had no other.' }),
    used: record(
      'PlanUse',
      {
        hits_month: used('Pageviews and events of this month (UTC), counted every five minutes.'),
        sites: used('Sites.'),
        members: used('Active members.'),
        ai_questions: used('Questions to the assistant this month (UTC).'),
      },
      'Usage of the workspace.',
    ),
    hits_by_day: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day of this month (UTC).' }),
        hits: used('Pageviews and events of the day.'),
      }),
      { description: '`used.hits_month` by day, up to today.' },
    ),
    creates_refused_from: Nullable(DateTime(), {
      description: 'Time from which nothing can be created because the plan is not paid. Null: never.',
    }),
  },
  'The plan of a workspace, with its usage.',
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
