import type { Static } from '../../../../runtime/table/schema.ts'
import { BarTable, Panel } from '../../../../runtime/ui/bar-table.tsx'
import { LineChart } from '../../../../runtime/ui/charts/line.tsx'
import { chartPoints } from '../../../../runtime/ui/charts/series.ts'
import { FigureTable } from '../../../../runtime/ui/figure-table.tsx'
import { Figures } from '../../../../runtime/ui/figures.tsx'
import { inUnit, shortInUnit, instant, plainNumber, type Viewer } from '../../../../runtime/ui/format.ts'
import { linkTo } from '../../../../runtime/ui/links.ts'
import { fill } from '../../../../runtime/ui/slot.ts'
import { view } from '../../../../runtime/ui/view.ts'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { allMeasured, valueRow } from '../../stats/components.tsx'
import { eventPath, pagePath } from '../../stats/records.ts'
import { EventDetail, eventMetrics, type ofPoints } from '../answers.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { m } from '../messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

type Detail = Static<typeof EventDetail>

export const pathOfEvent = fill(eventPath, ({ page }) => page.pathOf(EventDetail))

const metrics = ['events', 'visitors', 'visits', 'revenue'] as const satisfies readonly (typeof ofPoints)[number][]

/** One event: how often, since when, with what properties, on which pages. */
export const eventDetail = view(
  EventDetail,
  async ({ data, page }) => {
    const { url, viewer } = page
    const { comparison, interval, series = [], first_seen_at, last_seen_at } = data
    // The link of a guest may hide revenue, which is then not in the answer.
    const unsold = data.metrics.purchases || comparison?.metrics.purchases ? [] : ['revenue', 'purchases', 'average_order']
    const shown = metrics.filter(name => Object.hasOwn(data.metrics, name) && !unsold.includes(name))
    const metric = shown.find(name => name === url.searchParams.get('metric')) ?? 'events'
    const show = (value: number, isShort = false) => (isShort ? shortInUnit : inUnit)(value, eventMetrics[metric].unit, viewer)
    const pages = await page.fill(pagePath, {})
    const content = (
      <>
        <section class="card" aria-labelledby="event">
          <div class="between">
            <h2 id="event">{say(viewer, ui.event)}</h2>
            <p class="help">
              {first_seen_at === null ? say(viewer, m.never_seen) : say(viewer, m.first_seen, { when: instant(first_seen_at, viewer) })}
              {last_seen_at !== null && `, ${say(viewer, m.last_seen, { when: instant(last_seen_at, viewer) })}`}
            </p>
          </div>
          {data.hidden && <p class="notice">{say(viewer, m.event_hidden)}</p>}
          <Figures
            label={say(viewer, m.event_figures)}
            figures={allMeasured(data.metrics)}
            fields={eventMetrics}
            change={comparison?.change}
            without={unsold}
            viewer={viewer}
          />
          <nav class="tabs" aria-label={say(viewer, ui.metric)}>
            {shown.map(name => (
              <a
                href={withQuery(url, { metric: name === 'events' ? undefined : name })}
                aria-current={name === metric ? 'true' : undefined}
              >
                {fieldWords(name, viewer)}
              </a>
            ))}
          </nav>
          <LineChart
            reader={viewer}
            title={fieldWords(metric, viewer)}
            points={chartPoints({ interval, series, before: comparison?.series }, point => point[metric], viewer)}
            isCompared={comparison !== undefined}
            format={value => show(value)}
            short={value => show(value, true)}
          />
        </section>
        <div class="panels">
          {data.properties.map(({ label, rows }, i) => (
            <Values title={label} id={`property-${i}`} label={say(viewer, ui.value)} rows={rows} viewer={viewer} />
          ))}
          <Values
            title={say(viewer, ui.pages_shown)}
            id="pages"
            label={say(viewer, ui.page)}
            rows={data.pages}
            viewer={viewer}
            dimension="page"
            hrefOf={({ value }) => linkTo(pages, url, { path: value })}
          />
          <Values
            title={say(viewer, ui.sources)}
            id="sources"
            label={say(viewer, ui.source)}
            rows={data.sources}
            viewer={viewer}
            dimension="source"
          />
          <Aggregates rows={data.aggregates} viewer={viewer} />
        </div>
      </>
    )
    return { title: data.label, content }
  },
  { own: ['metric'], asks: () => ({ compare: 'previous_period' }) },
)

interface ValuesProps {
  readonly title: string
  readonly id: string
  readonly label: string
  readonly rows: Detail['pages']
  readonly viewer: Viewer
  /** Dimension of the values, which have marks. */
  readonly dimension?: string
  hrefOf?(row: Detail['pages'][number]): string | undefined
}

function Values({ title, id, label, rows, viewer, dimension, hrefOf }: ValuesProps) {
  const isCompared = rows.some(({ comparison }) => comparison !== undefined)
  return (
    <Panel title={title} id={id}>
      <BarTable
        viewer={viewer}
        label={label}
        columns={[say(viewer, ui.events), say(viewer, isCompared ? ui.change_of : ui.share)]}
        rows={rows.map(row => ({ ...valueRow(row, 'events', viewer, dimension), href: hrefOf?.(row) }))}
      />
    </Panel>
  )
}

const measures = ['count', 'sum', 'mean', 'median', 'p90', 'min', 'max'] as const

/** Sum, mean and percentiles of properties that are numbers. */
function Aggregates({ rows, viewer }: { rows: Detail['aggregates']; viewer: Viewer }) {
  if (rows.length === 0) return null
  return (
    <FigureTable
      label={say(viewer, m.numbers)}
      of={say(viewer, m.property)}
      columns={measures.map(name => fieldWords(name, viewer))}
      rows={rows.map(row => ({ head: row.label, cells: measures.map(name => plainNumber(row[name], viewer)) }))}
    />
  )
}
