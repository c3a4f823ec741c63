/** All about one page: its figures, the pages around it, how far it is read, where it is clicked and how fast it is. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { ClickMap } from '../../../runtime/ui/charts/clicks.tsx'
import { inUnit, percent, plainNumber } from '../../../runtime/ui/format.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { Figures } from '../../../runtime/ui/figures.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { pageLink } from './page-link.ts'
import { labelIn, unnamedIn } from '../../../runtime/ui/labels.ts'
import { fieldsOf, list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { VitalsTable } from './vitals.tsx'

export const pageDetail: View = {
  asks: () => ({ compare: 'previous_period' }),
  async show(seen) {
    return { title: text(seen.data.path), content: <PageDetail {...seen} /> }
  },
}

function PageDetail(seen: Seen) {
  const { schema, data, url, viewer, pathOf } = seen
  const comparison = data.comparison === undefined ? undefined : record(data.comparison)
  const path = text(data.path)
  return (
    <>
      <section class="card" aria-labelledby="page">
        <div class="between">
          <h2 id="page">{say(viewer, 'page')}</h2>
          <a href={linkTo(pathOf('Journeys'), url, { path })}>{say(viewer, 'journeys_from_here')}</a>
        </div>
        <Figures
          label={say(viewer, 'page_figures')}
          figures={record(data.metrics)}
          fields={fieldsOf(schema, 'metrics')}
          change={comparison && record(comparison.change)}
          viewer={viewer}
        />
      </section>
      <div class="panels">
        <Neighbours title={say(viewer, 'before_page')} id="before" rows={list(data.previous)} seen={seen} />
        <Neighbours title={say(viewer, 'after_page')} id="after" rows={list(data.next)} seen={seen} />
        <Scroll scroll={record(data.scroll)} seen={seen} />
        <Panel title={say(viewer, 'sources')} id="sources">
          <BarTable
            viewer={viewer}
            label={say(viewer, 'source')}
            columns={[say(viewer, 'visitors'), comparison ? say(viewer, 'change_of') : say(viewer, 'share')]}
            rows={list(data.sources).map(row => valueRow(row, 'visitors', seen))}
          />
        </Panel>
        <Panel title={say(viewer, 'events')} id="events">
          <BarTable
            viewer={viewer}
            label={say(viewer, 'event')}
            columns={[say(viewer, 'visitors'), comparison ? say(viewer, 'change_of') : say(viewer, 'share')]}
            rows={list(data.events).map(row => ({
              ...valueRow(row, 'visitors', seen),
              href: linkTo(pathOf('EventDetail'), url, { name: text(row.value) }),
            }))}
            none={say(viewer, 'no_page_event')}
          />
        </Panel>
      </div>
      <section class="card" aria-labelledby="vitals">
        <h2 id="vitals">{say(viewer, 'web_vitals')}</h2>
        <VitalsTable rows={list(data.vitals)} viewer={viewer} />
      </section>
      <Clicks clicks={record(data.clicks)} seen={seen} />
    </>
  )
}

/** A value with its figure, and its change where there is one, else its share. */
export function valueRow(row: Row, figure: string, { viewer, schema }: Pick<Seen, 'viewer' | 'schema'>) {
  const { unit } = fieldsOf(schema, 'sources')[figure] ?? {}
  return {
    label: labelIn('source', row, viewer),
    weight: number(row[figure]),
    cells: [
      inUnit(number(row[figure]), unit, viewer, true),
      row.comparison === undefined ? (
        percent(number(row.share), viewer)
      ) : (
        <Change value={record(record(row.comparison).change)[figure]} isCompared viewer={viewer} />
      ),
    ],
  }
}

function Neighbours({ title, id, rows, seen }: { title: string; id: string; rows: readonly Row[]; seen: Seen }) {
  const { viewer } = seen
  return (
    <Panel title={title} id={id}>
      <BarTable
        viewer={viewer}
        label={say(viewer, 'page')}
        columns={[say(viewer, 'times'), say(viewer, 'share')]}
        rows={rows.map(row => ({
          label: unnamedIn(text(row.label), viewer),
          href: row.kind === 'page' ? pageLink(seen, text(row.value)) : undefined,
          weight: number(row.times),
          cells: [plainNumber(number(row.times), viewer), percent(number(row.share), viewer)],
        }))}
      />
    </Panel>
  )
}

/** How many came at least so far down, among the visits that said so. */
function Scroll({ scroll, seen: { viewer } }: { scroll: Row; seen: Seen }) {
  const rows = list(scroll.rows)
  const visits = number(scroll.visits)
  const reached = rows.map((_, i) => rows.slice(i).reduce((sum, row) => sum + number(row.visits), 0))
  return (
    <Panel title={say(viewer, 'how_far_read')} id="scroll">
      <BarTable
        viewer={viewer}
        label={say(viewer, 'saw_at_least')}
        columns={[say(viewer, 'visits'), say(viewer, 'share')]}
        rows={
          visits === 0
            ? []
            : rows.map((row, i) => ({
                label: percent(number(row.from), viewer),
                weight: reached[i] ?? 0,
                cells: [plainNumber(reached[i] ?? 0, viewer), percent((100 * (reached[i] ?? 0)) / visits, viewer)],
              }))
        }
        none={say(viewer, 'no_scroll')}
      />
    </Panel>
  )
}

function Clicks({ clicks, seen: { viewer } }: { clicks: Row; seen: Seen }) {
  const grid = record(clicks.grid)
  const all = number(clicks.clicks)
  return (
    <section class="card" aria-labelledby="clicks">
      <h2 id="clicks">{say(viewer, 'clicks')}</h2>
      {all === 0 ? (
        <p class="none">{say(viewer, 'no_click')}</p>
      ) : (
        <div class="beside-map panel">
          <ClickMap
            label={say(viewer, 'clicks_say', { count: plainNumber(all, viewer) })}
            parts={list(grid.parts).map(({ x, y, clicks: count }) => ({ x: number(x), y: number(y), clicks: number(count) }))}
            width={number(grid.width)}
            height={number(grid.height)}
          />
          <BarTable
            viewer={viewer}
            label={say(viewer, 'element')}
            columns={[say(viewer, 'clicks'), say(viewer, 'share')]}
            rows={list(clicks.elements).map(row => ({
              label: unnamedIn(text(row.label), viewer),
              weight: row.kind === 'other' ? 0 : number(row.clicks),
              cells: [plainNumber(number(row.clicks), viewer), percent(number(row.share), viewer)],
            }))}
          />
        </div>
      )}
    </section>
  )
}
