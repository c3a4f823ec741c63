import type { Static } from '../../../runtime/table/schema.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { Figures } from '../../../runtime/ui/figures.tsx'
import { percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { Explore, exploring, withSteps } from './explore.tsx'
import { funnelFields, stepsSent } from './form.tsx'
import { funnels_create, funnels_report, funnels_update } from './operations.ts'
import { listView, view } from '../../../runtime/ui/view.ts'
import { StepBars, Steps } from './components.tsx'
import { Funnel, FunnelReport } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { unnamedIn } from '../../../runtime/ui/labels.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { say } from '../../../runtime/texts/say.ts'

/** How far visitors come through a funnel, and where they are lost. */
export const funnelReport = view(
  FunnelReport,
  async ({ data, page }) => {
    const { viewer } = page
    const explore = data === undefined || data.funnel.id === '' ? await Explore({ page }) : undefined
    if (data === undefined) return explore
    const { funnel, metrics, rows, counted, by, comparison } = data
    const content = (
      <>
        {explore}
        <section class="card" aria-label={say(viewer, m.steps)}>
          <Figures
            label={say(viewer, m.total)}
            figures={metrics}
            fields={FunnelReport.properties.metrics.properties}
            change={comparison?.change}
            viewer={viewer}
            without={['visitors', 'visits']}
          />
          <Steps rows={rows} viewer={viewer} />
          {counted === 'people' && <p class="help">{say(viewer, m.of_people)}</p>}
        </section>
        {by && <Divided by={by} steps={rows} viewer={viewer} />}
        {comparison && <Compared rows={rows} viewer={viewer} />}
      </>
    )
    return { ...(funnel.name !== '' && { title: funnel.name }), content }
  },
  { asks: () => ({ compare: 'previous_period' }), isAsked: true, own: exploring, mends: withSteps },
)

/** How many funnels the list shows with their reports. It shows only the names of the others. */
const MAX_REPORTS = 20

/** Funnels with their bars and their rate; each opens in place. */
export const funnels = listView(Funnel, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const reports = await Promise.all(
    rows.map((row, i) => (i < MAX_REPORTS ? page.ask(funnels_report, { id: row.id, period: '30d' }) : undefined)),
  )
  return (
    <ul class="folded">
      {rows.map((row, i) => {
        const report = reports[i]
        return (
          <li class="card">
            <p class="between">
              <a href={page.hrefOf(row)}>
                <b>{row.name}</b>
              </a>
              {report && (
                <span class="rate">
                  <b>{percent(report.metrics.conversion_rate, viewer)}</b>{' '}
                  <span class="help">
                    {plainNumber(report.metrics.completed, viewer)} / {plainNumber(report.metrics.entered, viewer)} ·{' '}
                    {say(viewer, m.last_30_days)}
                  </span>
                </span>
              )}
            </p>
            {report && (
              <details>
                <summary>
                  <StepBars rows={report.rows} viewer={viewer} />
                </summary>
                <Steps rows={report.rows} viewer={viewer} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
})

/** The funnel itself, with its last 30 days. */
export const funnel = view(Funnel, async ({ data, page }) => {
  const { schema, viewer, url } = page
  const report = await page.ask(funnels_report, { id: data.id, period: '30d' })
  return (
    <>
      {report && (
        <section class="card" aria-labelledby="lately">
          <div class="between">
            <h2 id="lately">{say(viewer, m.last_30_days)}</h2>
            <a href={linkTo(page.pathOf(funnels_report), url)}>{say(viewer, m.other_periods)}</a>
          </div>
          <Steps rows={report.rows} viewer={viewer} />
        </section>
      )}
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} without={new Set(['site_id', 'id', ...(report ? ['steps'] : [])])} />
      </div>
    </>
  )
})

export const createFunnel = form(funnels_create, funnelFields, { sent: stepsSent })
export const changeFunnel = form(funnels_update, funnelFields, { sent: stepsSent })

interface DividedProps {
  readonly by: NonNullable<Static<typeof FunnelReport>['by']>
  readonly steps: Static<typeof FunnelReport>['rows']
  readonly viewer: Viewer
}

/** The funnel by the values of a dimension: visitors of each step, and the rate. */
function Divided({ by, steps, viewer }: DividedProps) {
  const name = fieldWords(by.dimension, viewer)
  return (
    <FigureTable
      label={say(viewer, m.by_dimension, { dimension: name })}
      of={name}
      columns={[...steps.map(({ label }) => label), say(viewer, m.conversion)]}
      rows={by.rows.map(row => ({
        head: unnamedIn(row.label, viewer),
        cells: [...row.steps.map(visitors => plainNumber(visitors, viewer)), percent(row.conversion_rate, viewer)],
      }))}
    />
  )
}

function Compared({ rows, viewer }: { rows: Static<typeof FunnelReport>['rows']; viewer: Viewer }) {
  return (
    <FigureTable
      label={say(viewer, m.against_before)}
      of={say(viewer, m.step)}
      columns={[say(viewer, ui.visitors), say(viewer, m.conversion), say(viewer, ui.before)]}
      rows={rows.map(({ label, visitors, conversion_rate, comparison }) => ({
        head: label,
        cells: [
          <>
            {plainNumber(visitors, viewer)}{' '}
            <Change value={comparison?.change.visitors} isCompared={comparison !== undefined} viewer={viewer} />
          </>,
          <>
            {percent(conversion_rate, viewer)}{' '}
            <Change value={comparison?.change.conversion_rate} unit="percent" isCompared={comparison !== undefined} viewer={viewer} />
          </>,
          `${plainNumber(comparison?.visitors ?? 0, viewer)} · ${percent(comparison?.conversion_rate ?? 0, viewer)}`,
        ],
      }))}
    />
  )
}
