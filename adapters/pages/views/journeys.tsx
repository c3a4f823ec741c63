/** Journeys: the pages of three steps as a flow, and the commonest paths. Every page leads on to journeys from there. */
import { SankeyChart } from '../charts/sankey.tsx'
import { percent, plainNumber } from '../format.ts'
import { withQuery } from '../words.ts'
import { BarTable, Panel } from './bar-table.tsx'
import { Change } from './change.tsx'
import { pageLink } from './links.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const journeys: View = {
  hasOptions: true,
  async show(seen) {
    const { data } = seen
    if (number(data.visits) === 0) {
      return {
        content: (
          <div class="card empty">
            <p>No visit has such a journey in this period.</p>
          </div>
        ),
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
              ? `How visits came to ${from || 'the goal'}`
              : from
                ? `Where visits went from ${from}`
                : 'From where visits came in'}
          </h2>
          <p class="help">
            {visits(number(data.visits))} visits
            {from !== '' && (
              <>
                {' · '}
                <a href={withQuery(url, { mode: isBackward ? undefined : 'reverse', goal_id: undefined })}>
                  {isBackward ? 'Where they went from here' : 'How they came here'}
                </a>
                {' · '}
                <a href={pageLink(seen, from)}>About this page</a>
              </>
            )}
            {(from !== '' || url.searchParams.has('goal_id')) && (
              <>
                {' · '}
                <a href={withQuery(url, { path: undefined, goal_id: undefined, mode: undefined })}>All journeys</a>
              </>
            )}
          </p>
        </div>
        <SankeyChart
          label={isBackward ? 'Pages of three steps, the last on the right' : 'Pages of three steps, the first on the left'}
          columns={steps.map(step =>
            list(step.rows).map(row => ({
              label: text(row.label) || '(none)',
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
        <Panel title="Commonest paths" id="paths">
          <BarTable
            label="Path"
            columns={['Visits', 'Share']}
            rows={list(data.paths).map(path => ({
              label: text(path.label),
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
    <Panel title={`Step ${number(step.step)}`} id={`step-${number(step.step)}`}>
      <BarTable
        label="Page"
        columns={['Visits', isCompared ? 'Change' : isBackward ? 'Came in' : 'Left']}
        rows={rows.map(row => ({
          label: text(row.label),
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
