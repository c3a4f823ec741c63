import type { Static } from '../../../runtime/table/schema.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { SankeyChart } from '../../../runtime/ui/charts/sankey.tsx'
import { percent, plainNumber } from '../../../runtime/ui/format.ts'
import { unnamedIn } from '../../../runtime/ui/labels.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { pagePath } from '../stats/records.ts'
import { Journeys } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

const USUAL_STEPS = 3
const MAX_STEPS = 10

type Step = Static<typeof Journeys>['steps'][number]

/** Journeys: the pages of each step as a flow, and the commonest paths. Every page leads on to journeys from there. */
export const journeys = view(
  Journeys,
  async ({ data, page }) => {
    const { url, viewer } = page
    if (data.visits === 0)
      return (
        <Nothing
          like={{
            icon: 'journey',
            rows: [
              ['/ → /shop → /cart', '12 %'],
              ['/journal → /newsletter', '4 %'],
            ],
          }}
          help={say(viewer, m.journeys_help)}
        >
          {say(viewer, m.no_journey)}
        </Nothing>
      )
    const isBackward = data.mode === 'reverse'
    const visits = (value: number) => plainNumber(value, viewer)
    const from = url.searchParams.get('path') ?? ''
    const event = url.searchParams.get('event') ?? ''
    const named = from || event
    const steps = data.steps.length
    const stepsHref = (count: number) => withQuery(url, { steps: count === USUAL_STEPS ? undefined : String(count) })
    const hrefOf = ({ kind, value }: Step['rows'][number]) =>
      kind === 'page' ? withQuery(url, { path: value, goal_id: undefined, event: undefined }) : undefined
    return (
      <>
        <section class="card" aria-labelledby="flow">
          <div class="between">
            <h2 id="flow">
              {isBackward
                ? say(viewer, m.came_to, { what: named || say(viewer, m.the_goal) })
                : named
                  ? say(viewer, m.went_from, { what: named })
                  : say(viewer, m.came_in_at)}
            </h2>
            <p class="help">
              {say(viewer, m.visits_counted, { count: visits(data.visits) })}
              {steps < MAX_STEPS && (
                <>
                  {' · '}
                  <a href={stepsHref(Math.min(MAX_STEPS, steps + 2))}>{say(viewer, m.more_steps)}</a>
                </>
              )}
              {steps > USUAL_STEPS && (
                <>
                  {' · '}
                  <a href={stepsHref(Math.max(USUAL_STEPS, steps - 2))}>{say(viewer, m.fewer_steps)}</a>
                </>
              )}
              {named !== '' && (
                <>
                  {' · '}
                  <a href={withQuery(url, { mode: isBackward ? undefined : 'reverse', goal_id: undefined })}>
                    {isBackward ? say(viewer, m.went_from_here) : say(viewer, m.came_here)}
                  </a>
                </>
              )}
              {from !== '' && (
                <>
                  {' · '}
                  <a href={linkTo(await page.fill(pagePath, {}), url, { path: from })}>{say(viewer, m.about_page)}</a>
                </>
              )}
              {(named !== '' || url.searchParams.has('goal_id')) && (
                <>
                  {' · '}
                  <a href={withQuery(url, { path: undefined, goal_id: undefined, event: undefined, mode: undefined })}>
                    {say(viewer, m.all_journeys)}
                  </a>
                </>
              )}
            </p>
          </div>
          <SankeyChart
            label={isBackward ? say(viewer, m.steps_last_right) : say(viewer, m.steps_first_left)}
            columns={data.steps.map(({ rows }) =>
              rows.map(row => ({
                label: unnamedIn(row.label, viewer) || say(viewer, ui.unnamed),
                figure: `${visits(row.visits)} · ${percent(row.share, viewer)}`,
                value: row.visits,
                href: hrefOf(row),
                isRest: row.kind === 'other',
              })),
            )}
            links={data.links.map(({ step, from, to, visits: value }) => ({ column: step - 1, from, to, value }))}
            isBackward={isBackward}
            format={visits}
          />
        </section>
        <div class="panels">
          <Panel title={say(viewer, m.common_paths)} id="paths">
            <BarTable
              viewer={viewer}
              label={say(viewer, m.path)}
              columns={[say(viewer, ui.visits), say(viewer, ui.share)]}
              rows={data.paths.map(path => ({
                label: unnamedIn(path.label, viewer),
                weight: path.kind === 'other' ? 0 : path.visits,
                cells: [visits(path.visits), percent(path.share, viewer)],
              }))}
            />
          </Panel>
          {data.steps.map(step => (
            <StepPanel step={step} isBackward={isBackward} page={page} hrefOf={hrefOf} />
          ))}
        </div>
      </>
    )
  },
  { hasOptions: true },
)

interface StepProps {
  readonly step: Step
  readonly isBackward: boolean
  readonly page: ViewedPage
  hrefOf(row: Step['rows'][number]): string | undefined
}

/** The flow in figures, for readers who do not see the chart. */
function StepPanel({ step: { step, rows }, isBackward, page: { viewer }, hrefOf }: StepProps) {
  const isCompared = rows.some(row => row.comparison !== undefined)
  return (
    <Panel title={say(viewer, m.step_number, { number: step })} id={`step-${step}`}>
      <BarTable
        viewer={viewer}
        label={say(viewer, ui.page)}
        columns={[
          say(viewer, ui.visits),
          isCompared ? say(viewer, ui.change_of) : isBackward ? say(viewer, m.came_in) : say(viewer, m.left),
        ]}
        rows={rows.map(row => ({
          label: unnamedIn(row.label, viewer),
          href: hrefOf(row),
          weight: row.kind === 'other' ? 0 : row.visits,
          cells: [
            plainNumber(row.visits, viewer),
            isCompared ? (
              <Change value={row.comparison?.change.visits} isCompared={row.comparison !== undefined} viewer={viewer} />
            ) : (
              plainNumber(row.ended, viewer)
            ),
          ],
        }))}
      />
    </Panel>
  )
}
