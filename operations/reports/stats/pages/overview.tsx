import type { Static } from '../../../../runtime/table/schema.ts'
import { Change } from '../../../../runtime/ui/change.tsx'
import { Icon } from '../../../../runtime/ui/icons/icon.tsx'
import { LineChart } from '../../../../runtime/ui/charts/line.tsx'
import { notesOn } from '../../../../runtime/ui/charts/notes.ts'
import { chartPoints } from '../../../../runtime/ui/charts/series.ts'
import { instant, inUnit, shortInUnit, plainNumber, type Viewer, day, wallClock } from '../../../../runtime/ui/format.ts'
import { listOf, view } from '../../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../../runtime/ui/words.ts'
import type { Content } from '../../../../runtime/table/page.ts'
import { Note } from '../../../sites/notes/records.ts'
import { Segment } from '../../../sites/segments/records.ts'
import { Site } from '../../../sites/sites/records.ts'
import { firstHit } from '../../../sites/tracking/components.tsx'
import { stats_aggregate, stats_breakdown } from '../operations.ts'
import { Overview } from '../overview/records.ts'
import { livePath, Metrics, ReportMeta } from '../records.ts'
import { CONVERSION, changeOf, figureOf, hasPartOfSales, type Headline, headlineOf, nameOf, unitOf } from './headline.ts'
import { OverviewPanel } from './overview-panel.tsx'
import { AddedUp, ReportNotes, includesImported } from '../components.tsx'
import { askedBy } from './narrowed-by.ts'
import { dimensionShown, type PanelTabs, panels, panelsFor, sitesPanel, tabOf } from './panels.ts'
import { sinceLooked } from './since-looked.ts'
import { countryMap, propertyTab } from './special-tabs.tsx'
import { BESIDE, CompareLink, twoSegments } from './two-segments.tsx'
import { weekPanel } from './week-panel.tsx'
import { m } from '../messages.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { linkTo } from '../../../../runtime/ui/links.ts'

/** Notes on single rows or on the list of a panel. */
const OF_ROWS: ReadonlySet<string> = new Set(['always_zero', 'only_matching_hits'])
const tabParameters = panels.map(({ name }) => name)

/** A site at a glance: what changed, when, and who visited it. Every click is another address. */
export const overview = view(
  Overview,
  async ({ data, meta, page }) => {
    const { url, viewer } = page
    const site = page.within(Site)
    const isGroup = site?.kind === 'group'
    if (!isGroup && !url.searchParams.has('filters') && data.metrics.pageviews === 0 && (await isUntouched(page))) return firstHit(page)
    if (url.searchParams.has(BESIDE)) return twoSegments(data, meta, page)
    const live = data.live_visitors
    const maySegment = page.pathOf(listOf(Segment)) !== undefined
    const since = site && (await sinceLooked(site, page))
    const metric = headlineOf(data, meta).find(name => name === url.searchParams.get('metric')) ?? 'visitors'
    const [parts, sites, week] = await Promise.all([
      Promise.all(panelsFor(page.may).map(panel => panelOf(panel, data, meta, page))),
      isGroup && page.may('site') ? sitesOf(page) : undefined,
      weekPanel(data, page),
    ])
    const content = (
      <>
        <section class="card glance" aria-label={say(viewer, m.at_a_glance)}>
          <Figures data={data} meta={meta} metric={metric} url={url} viewer={viewer} />
          {since && since.pageviews > 0 && (
            <p class="since">
              {say(viewer, m.since_looked, { when: instant(new Date(since.at).toISOString(), viewer) })}:{' '}
              <b>
                {say(viewer, m.visits_pageviews, {
                  visits: plainNumber(since.visits, viewer),
                  pageviews: plainNumber(since.pageviews, viewer),
                })}
              </b>
            </p>
          )}
          <Chart
            data={data}
            metric={metric}
            viewer={viewer}
            add={page.formFor(Note, {})}
            compare={maySegment && <CompareLink {...page} />}
          />
          <Notes notes={data.notes ?? []} timezone={meta.timezone} viewer={viewer} />
          <ReportNotes notes={meta.notes.filter(({ code }) => !OF_ROWS.has(code))} page={page} />
        </section>
        <div class="panels">
          {sites}
          {parts}
          {week}
        </div>
      </>
    )
    const now = (
      <a class="live" href={linkTo(await page.fill(livePath, {}), url)} data-key="r" data-does={say(viewer, m.who_now)}>
        <span class="pulse" aria-hidden="true" />
        {say(viewer, ui.visitors_now, { count: live })}
      </a>
    )
    return { content, besideTitle: now, ...(live > 0 && { heading: `(${plainNumber(live, viewer)})` }) }
  },
  {
    meta: ReportMeta,
    own: ['metric', BESIDE, ...tabParameters],
    remembers: tabParameters,
    asks: (query: URLSearchParams, may: (dimension: string) => boolean) => ({
      compare: 'previous_period',
      include_imported: true,
      panels: panelsFor(may).flatMap(panel => dimensionShown(tabOf(query, panel).tab, query, may) ?? []),
    }),
  },
)

/** Rows next to a map, which says the same. */
const ROWS_BELOW_MAP = 3

async function panelOf(
  panel: PanelTabs,
  { panels: given }: Static<typeof Overview>,
  { imported }: Static<typeof ReportMeta>,
  page: ViewedPage,
) {
  const { tab, key } = tabOf(page.url.searchParams, panel)
  if (tab === 'property')
    return <OverviewPanel panel={panel} tab={tab} {...(await propertyTab(page, { panel: panel.name, key }))} page={page} />
  const dimension = dimensionShown(tab, page.url.searchParams, page.may)
  const of = given.find(each => each.dimension === dimension)
  const without = of?.imported === false && imported?.from && imported.to ? { from: imported.from, to: imported.to } : undefined
  const shown = { panel, tab, dimension, rows: of?.rows ?? [], page, without }
  return tab === 'map' ? <OverviewPanel {...shown} above={await countryMap(page)} maxRows={ROWS_BELOW_MAP} /> : <OverviewPanel {...shown} />
}

/** The sites of a group, the busiest first. */
async function sitesOf(page: ViewedPage) {
  const { url } = page
  const report = await page.ask(stats_breakdown, {
    ...{ dimension: 'site', ...askedBy(url), include_imported: includesImported(url), limit: MAX_SITES },
  })
  return <OverviewPanel panel={sitesPanel} tab="site" dimension="site" rows={report?.rows ?? []} page={page} />
}
const MAX_SITES = 9

/** Whether the site has never received a hit, and nothing was imported. */
async function isUntouched({ ask }: ViewedPage): Promise<boolean> {
  const all = await ask(stats_aggregate, { period: 'all', include_imported: true })
  return all?.metrics.pageviews === 0
}

interface FiguresProps {
  /** Without what the link of a guest hides, such as notes. */
  readonly data: Omit<Static<typeof Overview>, 'notes'> & Partial<Pick<Static<typeof Overview>, 'notes'>>
  readonly metric: Headline
  readonly viewer: Viewer
}

/** The headline figures; the one on the chart is marked. */
function Figures({ data, meta, metric, url, viewer }: FiguresProps & { readonly meta: Static<typeof ReportMeta>; readonly url: URL }) {
  const { metrics, comparison, period } = data
  const isPart = hasPartOfSales(period, meta)
  const wasPart = comparison !== undefined && hasPartOfSales(comparison.period, meta)
  return (
    <ul class="headline">
      {headlineOf(data, meta).map(name => {
        const [value, before] = [figureOf(name, metrics, isPart), comparison && figureOf(name, comparison.metrics, wasPart)]
        return (
          <li>
            <a
              href={withQuery(url, { metric: name === 'visitors' ? undefined : name })}
              aria-current={name === metric ? 'true' : undefined}
              title={name === CONVERSION ? say(viewer, m.conversion_says) : inUnit(value, unitOf(name), viewer)}
            >
              <span class="name">{nameOf(name, viewer)}</span>
              <span class="figure">{shortInUnit(value, unitOf(name), viewer)}</span>
              {name !== CONVERSION && <AddedUp metric={name} period={data.period} viewer={viewer} />}
              <Change
                value={changeOf(name, data, [isPart, wasPart])}
                figure={value}
                unit={unitOf(name)}
                isLessBetter={name !== CONVERSION && Metrics.properties[name].better === 'less'}
                isCompared={comparison !== undefined && value !== null && before !== null}
                viewer={viewer}
              />
            </a>
          </li>
        )
      })}
    </ul>
  )
}

interface ChartProps extends FiguresProps {
  /** Address of the form for another note. */
  readonly add: string | undefined
  readonly compare: Content | false
}

function Chart({ data: { interval, series, notes, comparison }, metric, viewer, add, compare }: ChartProps) {
  const show = (value: number, isShort = false) => (isShort ? shortInUnit : inUnit)(value, unitOf(metric), viewer)
  const points = chartPoints({ interval, series, before: comparison?.series }, point => figureOf(metric, point), viewer)
  return (
    <LineChart
      title={nameOf(metric, viewer)}
      reader={viewer}
      points={points.map((point, i) => ({ ...point, at: series[i]?.at ?? '' }))}
      notes={notesOn(series, notes ?? [])}
      isCompared={comparison !== undefined}
      format={value => show(value)}
      short={value => show(value, true)}
      adds={
        <span class="adds">
          {compare}
          {add !== undefined && (
            <a class="add-note" href={add}>
              <Icon name="note" size="small" /> {say(viewer, m.add_note)}
            </a>
          )}
        </span>
      }
    />
  )
}

interface NotesProps {
  readonly notes: readonly Static<typeof Note>[]
  readonly viewer: Viewer
  /** Time zone of the site, whose days the chart has. */
  readonly timezone: string
}

/** Dates and texts of the notes, for those who do not see the chart. */
function Notes({ notes, timezone, viewer }: NotesProps) {
  if (notes.length === 0) return null
  return (
    <ul class="notes" aria-label={say(viewer, m.notes)}>
      {notes.map(({ at, text }) => (
        <li>
          <time datetime={at}>{day(wallClock(Date.parse(at), timezone), viewer)}</time> {text}
        </li>
      ))}
    </ul>
  )
}
