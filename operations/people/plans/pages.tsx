import { duration, inUnit } from '../../../runtime/ui/format.ts'
import { UseBars } from '../../../runtime/ui/use-bars.tsx'
import { view } from '../../../runtime/ui/view.ts'
import { CreatesRefused } from './components.tsx'
import { billingPath, WorkspacePlan } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

const limits = WorkspacePlan.properties.limits.properties
type Limit = keyof typeof limits

/** Limits whose use is counted. */
const counted = ['hits_month', 'sites', 'members', 'ai_questions'] as const
/** Limits that apply to something else. */
const others = ['min_interval_seconds', 'retention_days'] as const
const labels = {
  hits_month: m.use_hits_month,
  sites: m.use_sites,
  members: m.use_members,
  ai_questions: m.use_ai_questions,
  min_interval_seconds: m.use_min_interval_seconds,
  retention_days: m.use_retention_days,
} as const satisfies Record<Limit, unknown>

/** The plan of a workspace: the use of each limit, the other limits, and a link to the page where the plan is paid. */
export const plan = view(WorkspacePlan, async ({ data, page }) => {
  const { viewer } = page
  const uses = counted.map(name => ({ label: say(viewer, labels[name]), used: data.used[name], limit: data.limits[name] }))
  const path = await page.fill(billingPath, {})
  const limitWords = (name: (typeof others)[number], value: number | null): string => {
    const { unit } = limits[name]
    if (value === null) return say(viewer, m.no_limit)
    return unit === 'seconds' ? duration(value * 1000, viewer) : inUnit(value, unit, viewer)
  }
  return (
    <>
      <CreatesRefused from={data.creates_refused_from} now={page.now} viewer={viewer} />
      <section class="card" aria-labelledby="plan-name">
        <div class="between">
          <h2 id="plan-name">{say(viewer, m.plan_use)}</h2>
          {path !== undefined && <a href={path}>{say(viewer, m.to_billing)}</a>}
        </div>
        {data.description !== null && <p>{data.description}</p>}
        <UseBars
          uses={uses}
          others={others.map(name => ({ label: say(viewer, labels[name]), value: limitWords(name, data.limits[name]) }))}
          viewer={viewer}
        />
      </section>
    </>
  )
})
