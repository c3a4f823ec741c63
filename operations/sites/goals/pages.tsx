import type { Static } from '../../../runtime/table/schema.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { money, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { listView, view } from '../../../runtime/ui/view.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { goalFields } from './form.tsx'
import { goals_create, goals_update } from './operations.ts'
import { Goal, goalChart, goalFigures } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** One goal: its conversions over time, and its condition. */
export const goal = view(Goal, async ({ data, page }) => (
  <>
    {await page.fill(goalChart, { goal: data })}
    <div class="card">
      <RecordView schema={page.schema} data={data} viewer={page.viewer} without={new Set(['id', 'site_id', 'name'])} />
    </div>
  </>
))

/** Goals of a site, each with its conversions of the last 30 days compared with the 30 days before. */
export const goals = listView(Goal, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const figures = await page.fill(goalFigures, { goals: rows })
  return (
    <>
      <FigureTable
        label={say(viewer, m.goals_say)}
        of={say(viewer, m.goal)}
        columns={[{ text: say(viewer, m.reached_by) }, say(viewer, m.conversions), say(viewer, ui.visitors), say(viewer, ui.rate)]}
        rows={rows.map(row => {
          const { conversions = 0, visitors = 0, conversionRate = 0, change, href } = figures?.get(row.id) ?? {}
          return {
            head: <a href={page.hrefOf(row)}>{row.name}</a>,
            cells: [
              <>
                <span class="tag plain">{valueWords(row.kind, viewer)}</span> <Completion of={row} viewer={viewer} />
              </>,
              <>
                {plainNumber(conversions, viewer)} <Change value={change} isCompared={change !== undefined} viewer={viewer} />
              </>,
              href === undefined ? plainNumber(visitors, viewer) : <a href={href}>{plainNumber(visitors, viewer)}</a>,
              percent(conversionRate, viewer),
            ],
          }
        })}
      />
      <p class="help">{say(viewer, m.of_30_days)}</p>
    </>
  )
})

/** The condition of a goal, and the worth of a completion. */
function Completion({ of: row, viewer }: { readonly of: Static<typeof Goal>; readonly viewer: Viewer }) {
  const page = row.path ?? row.regex ?? say(viewer, m.any_page)
  const properties = [...(row.property === null ? [] : [{ property: row.property, value: row.value }]), ...row.properties]
  const worth =
    row.value_amount !== null
      ? say(viewer, m.worth, { amount: money(row.value_amount, viewer) })
      : row.value_property !== null && say(viewer, m.worth_of, { property: row.value_property })
  return (
    <>
      {row.kind === 'scroll' ? (
        say(viewer, m.read_to, { depth: row.depth ?? 0, page })
      ) : row.kind === 'duration' ? (
        row.path === null && row.regex === null ? (
          say(viewer, m.visit_of, { seconds: row.duration_seconds ?? 0 })
        ) : (
          say(viewer, m.looked_at, { seconds: row.duration_seconds ?? 0, page })
        )
      ) : (
        <code>{row.kind === 'click' ? row.selector : row.kind === 'page' ? page : row.event}</code>
      )}
      {properties.map(({ property, value }) => ` ${say(viewer, m.where_is, { name: property, value: value ?? '' })}`)}
      {worth && ` · ${worth}`}
    </>
  )
}

export const createGoal = form(goals_create, goalFields)
export const changeGoal = form(goals_update, goalFields)
