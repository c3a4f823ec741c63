/** A plan to choose: its price and limits. */
import type { Static } from '@sinclair/typebox'
import type { PlanRecord } from '../../people/plans/records.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { OperationForm } from '../../../runtime/ui/form.tsx'
import { billing_checkout_create } from './operations.ts'
import { priceText } from './price.tsx'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Plan = Static<typeof PlanRecord>

interface PlanTileProps {
  readonly plan: Plan
  readonly isCurrent: boolean
  /** Path that a chosen plan is posted to; undefined if none can be chosen. */
  readonly checkout: string | undefined
  readonly viewer: Viewer
}

export const PlanTile = ({ plan, isCurrent, checkout, viewer }: PlanTileProps) => (
  <li class="card">
    <h3>{plan.name}</h3>
    <p>
      <b>{priceText(plan, viewer)}</b>
    </p>
    {plan.description !== null && <p>{plan.description}</p>}
    <Limits limits={plan.limits} viewer={viewer} />
    {isCurrent ? (
      <p class="help">{say(viewer, m.plan_now)}</p>
    ) : (
      plan.amount_cents !== null &&
      checkout !== undefined && (
        <OperationForm of={billing_checkout_create} action={checkout} hidden={{ plan: plan.id }} refused={undefined}>
          {() => (
            <button type="submit">
              {say(viewer, m.choose_plan)} <span class="unseen">{plan.name}</span>
            </button>
          )}
        </OperationForm>
      )
    )}
  </li>
)

const limitWords = [
  ['hits_month', m.limit_hits_month],
  ['sites', m.limit_sites],
  ['members', m.limit_members],
  ['min_interval_seconds', m.limit_min_interval_seconds],
  ['ai_questions', m.limit_ai_questions],
  ['retention_days', m.limit_retention_days],
] as const satisfies readonly (readonly [keyof Plan['limits'], unknown])[]

function Limits({ limits, viewer }: { limits: Plan['limits']; viewer: Viewer }) {
  const texts = limitWords.flatMap(([name, message]) => {
    const limit = limits[name]
    return limit === null ? [] : say(viewer, message({ count: limit.toLocaleString(viewer.locale) }))
  })
  return (
    <ul class="sentences">
      {texts.map(text => (
        <li>{text}</li>
      ))}
      {texts.length === 0 && <li>{say(viewer, m.no_limits)}</li>}
    </ul>
  )
}
