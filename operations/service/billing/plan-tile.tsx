/** A plan to choose: its price and limits. */
import type { Static } from '@sinclair/typebox'
import type { PlanRecord } from '../../people/plans/records.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { type Key, say } from '../../../runtime/ui/languages/index.ts'
import { priceWords } from './price.tsx'

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
      <b>{priceWords(plan, viewer)}</b>
    </p>
    {plan.description !== null && <p>{plan.description}</p>}
    <Limits limits={plan.limits} viewer={viewer} />
    {isCurrent ? (
      <p class="help">{say(viewer, 'plan_now')}</p>
    ) : (
      plan.amount_cents !== null &&
      checkout !== undefined && (
        <form method="post" action={checkout}>
          <input type="hidden" name="/plan" value={plan.id} />
          <button type="submit">
            {say(viewer, 'choose_plan')} <span class="unseen">{plan.name}</span>
          </button>
        </form>
      )
    )}
  </li>
)

const limitKeys = [
  ['hits_month', 'limit_hits_month'],
  ['sites', 'limit_sites'],
  ['members', 'limit_members'],
  ['min_interval_seconds', 'limit_min_interval_seconds'],
  ['ai_questions', 'limit_ai_questions'],
  ['retention_days', 'limit_retention_days'],
] as const satisfies readonly (readonly [keyof Plan['limits'], Key])[]

function Limits({ limits, viewer }: { limits: Plan['limits']; viewer: Viewer }) {
  const texts = limitKeys.flatMap(([name, key]) => {
    const limit = limits[name]
    return limit === null ? [] : say(viewer, key, { count: limit.toLocaleString(viewer.locale) })
  })
  return (
    <ul class="limits">
      {texts.map(text => (
        <li>{text}</li>
      ))}
      {texts.length === 0 && <li>{say(viewer, 'no_limits')}</li>}
    </ul>
  )
}
