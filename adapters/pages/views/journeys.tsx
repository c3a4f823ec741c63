/** Journeys: the pages of three steps as a flow, and the commonest paths. Every page leads on to journeys from there. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { SankeyChart } from '../../../runtime/ui/charts/sankey.tsx'
import { percent, plainNumber } from '../../../runtime/ui/format.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { pageLink } from './page-link.ts'
import { unnamedIn } from '../../../runtime/ui/labels.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'

export const journeys: View = {
  hasOptions: true,
  async show(seen) {
    const { data, viewer } = seen
    if (number(data.visits) === 0) {
      return {
        content: <Nothing>{say(viewer, 'no_journey')}</Nothing>,
      }
    }
    return { content: <Journeys {...seen} /> }
  },
}

function Journeys(seen: Seen) {
  const { data, url, viewer } = seen
  const steps = list(data.steps)
  const isBackward = data.mode === 'reverse'
  const visits = (value: number) => plainNumber(value, viewer)
  const from = url.searchParams.get('path') ?? ''
  return (
    <>
      <section class="card" aria-labelledby="flow">
        <div class="between">
          <h2 id="flow">
            {isBackward
              ? say(viewer, 'came_to', { what: from || say(viewer, 'the_goal') })
              : from
                ? say(viewer, 'went_from', { what: from })
                : say(viewer, 'came_in_at')}
          </h2>
          <p class="help">
            {say(viewer, 'visits_counted', { count: visits(number(data.visits)) })}
            {from !== '' && (
              <>
                {' · '}
                <a href={withQuery(url, { mode: isBackward ? undefined : 'reverse', goal_id: undefined })}>
                  {isBackward ? say(viewer, 'went_from_here') : say(viewer, 'came_here')}
                </a>
                {' · '}
                <a href={pageLink(seen, from)}>{say(viewer, 'about_page')}</a>
              </>
            )}
            {(from !== '' || url.searchParams.has('goal_id')) && (
              <>
                {' · '}
                <a href={withQuery(url, { path: undefined, goal_id: undefined, mode: undefined })}>{say(viewer, 'all_journeys')}</a>
              </>
            )}
          </p>
        </div>
        <SankeyChart
          label={isBackward ? say(viewer, 'steps_last_right') : say(viewer, 'steps_first_left')}
          columns={steps.map(step =>
            list(step.rows).map(row => ({
              label: unnamedIn(text(row.label), viewer) || say(viewer, 'unnamed'),
              figure: `${visits(number(row.visits))} · ${percent(number(row.share), viewer)}`,
              value: number(row.visits),
              href: row.kind === 'page' ? withQuery(url, { path: text(row.value), goal_id: undefined }) : undefined,
              isRest: row.kind === 'other',
            })),
          )}
          links={list(data.links).map(link => ({
            column: number(link.step) - 1,
            from: number(link.from),
            to: number(link.to),
            value: number(link.visits),
          }))}
          isBackward={isBackward}
          format={visits}
        />
      </section>
      <div class="panels">
        <Panel title={say(viewer, 'common_paths')} id="paths">
          <BarTable
            viewer={viewer}
            label={say(viewer, 'path')}
            columns={[say(viewer, 'visits'), say(viewer, 'share')]}
            rows={list(data.paths).map(path => ({
              label: unnamedIn(text(path.label), viewer),
              weight: path.kind === 'other' ? 0 : number(path.visits),
              cells: [visits(number(path.visits)), percent(number(path.share), viewer)],
            }))}
          />
        </Panel>
        {steps.map(step => (
          <Step step={step} isBackward={isBackward} seen={seen} />
        ))}
      </div>
    </>
  )
}

/** The flow in figures, for those who do not see it. */
function Step({ step, isBackward, seen: { url, viewer } }: { step: Row; isBackward: boolean; seen: Seen }) {
  const rows = list(step.rows)
  const isCompared = rows.some(row => row.comparison !== undefined)
  return (
    <Panel title={say(viewer, 'step_number', { number: number(step.step) })} id={`step-${number(step.step)}`}>
      <BarTable
        viewer={viewer}
        label={say(viewer, 'page')}
        columns={[say(viewer, 'visits'), isCompared ? say(viewer, 'change_of') : isBackward ? say(viewer, 'came_in') : say(viewer, 'left')]}
        rows={rows.map(row => ({
          label: unnamedIn(text(row.label), viewer),
          href: row.kind === 'page' ? withQuery(url, { path: text(row.value), goal_id: undefined }) : undefined,
          weight: row.kind === 'other' ? 0 : number(row.visits),
          cells: [
            plainNumber(number(row.visits), viewer),
            isCompared ? (
              <Change value={record(record(row.comparison).change).visits} isCompared={row.comparison !== undefined} viewer={viewer} />
            ) : (
              plainNumber(number(row.ended), viewer)
            ),
          ],
        }))}
      />
    </Panel>
  )
}
