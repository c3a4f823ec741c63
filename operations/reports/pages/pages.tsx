import type { Static } from '../../../runtime/table/schema.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { ClickMap } from '../../../runtime/ui/charts/clicks.tsx'
import { Figures } from '../../../runtime/ui/figures.tsx'
import { percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import { unnamedIn } from '../../../runtime/ui/labels.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { Journeys } from '../journeys/records.ts'
import { VitalsTable } from '../performance/components.tsx'
import { allMeasured, valueRow } from '../stats/components.tsx'
import { eventPath, pagePath } from '../stats/records.ts'
import { PageDetail, PageMetrics } from './records.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { Site } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Detail = Static<typeof PageDetail>

export const pathOfPage = fill(pagePath, ({ page }) => page.pathOf(PageDetail))

/** One page: its figures, the pages around it, how far it is read, where it is clicked and how fast it is. */
export const pageDetail = view(
  PageDetail,
  async ({ data, page }) => {
    const { url, viewer, pathOf } = page
    const { path, comparison } = data
    const events = await page.fill(eventPath, {})
    const itself = addressOn(page.within(Site)?.domain, path)
    const columns = [say(viewer, ui.visitors), say(viewer, comparison ? ui.change_of : ui.share)]
    const content = (
      <>
        <section class="card" aria-labelledby="page">
          <div class="between">
            <h2 id="page">{say(viewer, m.page_figures)}</h2>
            <p>
              <a href={linkTo(pathOf(Journeys), url, { path })}>{say(viewer, m.journeys_from_here)}</a>
              {itself !== undefined && (
                <>
                  {' · '}
                  <a href={itself} rel="noopener noreferrer nofollow">
                    {say(viewer, m.open_page)}
                  </a>
                </>
              )}
            </p>
          </div>
          <Figures
            label={say(viewer, m.page_figures)}
            figures={allMeasured(data.metrics)}
            fields={PageMetrics.properties}
            change={comparison?.change}
            viewer={viewer}
            without={broughtNothing(data)}
          />
        </section>
        <div class="panels">
          <Neighbours title={say(viewer, m.before_page)} id="before" rows={data.previous} page={page} />
          <Neighbours title={say(viewer, m.after_page)} id="after" rows={data.next} page={page} />
          <Scroll scroll={data.scroll} viewer={viewer} />
          <Panel title={say(viewer, ui.sources)} id="sources">
            <BarTable
              viewer={viewer}
              label={say(viewer, ui.source)}
              columns={columns}
              rows={data.sources.map(row => valueRow(row, 'visitors', viewer, 'source'))}
            />
          </Panel>
          <Panel title={say(viewer, ui.events)} id="events">
            <BarTable
              viewer={viewer}
              label={say(viewer, ui.event)}
              columns={columns}
              rows={data.events.map(row => ({
                ...valueRow(row, 'visitors', viewer, 'event'),
                href: linkTo(events, url, { name: row.value }),
              }))}
              none={say(viewer, m.no_page_event)}
            />
          </Panel>
        </div>
        <div class="card">
          <h2>{say(viewer, ui.web_vitals)}</h2>
          <VitalsTable rows={data.vitals} viewer={viewer} />
        </div>
        <Clicks clicks={data.clicks} viewer={viewer} />
      </>
    )
    return { title: path, content }
  },
  { asks: () => ({ compare: 'previous_period' }) },
)

/** The address of a page of the site. Paths are what visitors sent, so it is made sure that they lead nowhere else. */
function addressOn(domain: string | null | undefined, path: string): string | undefined {
  const text = `https://${domain}${path}`
  if (!domain || !path.startsWith('/') || !URL.canParse(text)) return undefined
  const { host, href } = new URL(text)
  return host === domain ? href : undefined
}

/** Amounts and conversions that were 0 in both ranges: most pages sell nothing. */
function broughtNothing({ metrics, comparison }: Detail): string[] {
  const brought = ['revenue', 'visit_revenue', 'conversions'] as const
  return brought.filter(name => !metrics[name] && !comparison?.metrics[name])
}

interface NeighboursProps {
  readonly title: string
  readonly id: string
  readonly rows: Detail['previous'] | Detail['next']
  readonly page: ViewedPage
}

function Neighbours({ title, id, rows, page: { url, viewer, pathOf } }: NeighboursProps) {
  return (
    <Panel title={title} id={id}>
      <BarTable
        viewer={viewer}
        label={say(viewer, ui.page)}
        columns={[say(viewer, m.times), say(viewer, ui.share)]}
        rows={rows.map(({ kind, value, label, times, share }) => ({
          label: unnamedIn(label, viewer),
          mark: kind === 'page' && <Icon name="page" />,
          href: kind === 'page' ? linkTo(pathOf(PageDetail), url, { path: value }) : undefined,
          weight: times,
          cells: [plainNumber(times, viewer), percent(share, viewer)],
        }))}
      />
    </Panel>
  )
}

/** Draws how many visits saw at least each part of the page, among those that reported it. */
function Scroll({ scroll: { visits, rows }, viewer }: { scroll: Detail['scroll']; viewer: Viewer }) {
  const reached = rows.map((_, i) => rows.slice(i).reduce((sum, row) => sum + row.visits, 0))
  return (
    <Panel title={say(viewer, m.how_far_read)} id="scroll">
      <BarTable
        viewer={viewer}
        label={say(viewer, m.saw_at_least)}
        columns={[say(viewer, ui.visits), say(viewer, ui.share)]}
        rows={
          visits === 0
            ? []
            : rows.map(({ from }, i) => ({
                label: percent(from, viewer),
                weight: reached[i] ?? 0,
                cells: [plainNumber(reached[i] ?? 0, viewer), percent((100 * (reached[i] ?? 0)) / visits, viewer)],
              }))
        }
        none={say(viewer, m.no_scroll)}
      />
    </Panel>
  )
}

function Clicks({ clicks: { clicks, elements, grid }, viewer }: { clicks: Detail['clicks']; viewer: Viewer }) {
  return (
    <section class="card" aria-labelledby="clicks">
      <h2 id="clicks">{say(viewer, m.clicks)}</h2>
      {clicks === 0 ? (
        <p class="none">{say(viewer, m.no_click)}</p>
      ) : (
        <div class="beside-map panel">
          {grid && (
            <ClickMap
              label={say(viewer, m.clicks_say, { count: plainNumber(clicks, viewer) })}
              parts={grid.parts}
              width={grid.width}
              height={grid.height}
            />
          )}
          <BarTable
            viewer={viewer}
            label={say(viewer, m.element)}
            columns={[say(viewer, m.clicks), say(viewer, ui.share)]}
            rows={elements.map(row => ({
              label: unnamedIn(row.label, viewer),
              weight: row.kind === 'other' ? 0 : row.clicks,
              cells: [plainNumber(row.clicks, viewer), percent(row.share, viewer)],
            }))}
          />
        </div>
      )}
    </section>
  )
}
