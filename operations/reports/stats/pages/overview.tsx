import type { Static } from '../../../../runtime/table/schema.ts'
import { Change } from '../../../../runtime/ui/change.tsx'
import { Icon } from '../../../../runtime/ui/icons/icon.tsx'
import { LineChart } from '../../../../runtime/ui/charts/line.tsx'
import { notesOn } from '../../../../runtime/ui/charts/notes.ts'
import { chartPoints } from '../../../../runtime/ui/charts/series.ts'
import { instant, inUnit, shortInUnit, plainNumber, pointLabel, type Viewer } from '../../../../runtime/ui/format.ts'
import { view } from '../../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { headline } from '../../../../storage/engine/vocabulary/metrics.ts'
import { Note } from '../../../sites/notes/records.ts'
import { Site } from '../../../sites/sites/records.ts'
import { firstHit } from '../../../sites/tracking/components.tsx'
import { stats_aggregate } from '../operations.ts'
import { Overview } from '../overview/records.ts'
import { livePath, Metrics, ReportMeta } from '../records.ts'
import { OverviewPanel } from './overview-panel.tsx'
import { AddedUp, ReportNotes } from '../components.tsx'
import { panels, panelsFor, tabOf } from './panels.ts'
import { sinceLooked } from './since-looked.ts'
import { m } from '../messages.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

/** A site at a glance: what changed, when, and who visited it. Every click is another address. */
export const overview = view(
  Overview,
  async ({ data, meta, page }) => {
    const { url, viewer } = page
    if (!url.searchParams.has('filters') && data.metrics.pageviews === 0 && (await isUntouched(page))) return firstHit(page)
    const live = data.live_visitors
    const site = page.within(Site)
    const since = site && (await sinceLooked(site, page))
    const metric = headline.find(name => name === url.searchParams.get('metric') && Object.hasOwn(data.metrics, name)) ?? 'visitors'
    const content = (
      <>
        <section class="card glance" aria-label={say(viewer, m.at_a_glance)}>
          <Headline data={data} metric={metric} url={url} viewer={viewer} />
          {since && (
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
          <Chart data={data} metric={metric} viewer={viewer} add={page.formFor(Note, {})} />
          <Notes notes={data.notes ?? []} viewer={viewer} />
          <ReportNotes notes={meta.notes.filter(({ code }) => code !== 'always_zero')} url={url} viewer={viewer} />
        </section>
        <div class="panels">
          {panelsFor(page.may).map((panel, i) => (
            <OverviewPanel panel={panel} rows={data.panels[i]?.rows ?? []} page={page} />
          ))}
        </div>
      </>
    )
    const now = (
      <a class="live" href={await page.fill(livePath, {})} data-key="r" data-does={say(viewer, m.who_now)}>
        <span class="pulse" aria-hidden="true" />
        {say(viewer, ui.visitors_now, { count: live })}
      </a>
    )
    return { content, besideTitle: now, ...(live > 0 && { heading: `(${plainNumber(live, viewer)})` }) }
  },
  {
    meta: ReportMeta,
    own: ['metric', ...panels.map(({ name }) => name)],
    asks: (query: URLSearchParams, may: (dimension: string) => boolean) => ({
      compare: 'previous_period',
      include_imported: true,
      panels: panelsFor(may).map(panel => tabOf(query, panel)),
    }),
  },
)

/** Whether the site has never received a hit, and nothing was imported. */
async function isUntouched({ ask }: ViewedPage): Promise<boolean> {
  const all = await ask(stats_aggregate, { period: 'all', include_imported: true })
  return all?.metrics.pageviews === 0
}

type Headline = (typeof headline)[number]
interface FiguresProps {
  /** Without what the link of a guest hides, such as notes. */
  readonly data: Omit<Static<typeof Overview>, 'notes'> & Partial<Pick<Static<typeof Overview>, 'notes'>>
  readonly metric: Headline
  readonly viewer: Viewer
}

const unitOf = (metric: Headline) => Metrics.properties[metric].unit

/** The headline metrics; the one on the chart is marked. Metrics that are hidden from the viewer are not in the answer. */
function Headline({ data: { period, metrics, comparison }, metric, url, viewer }: FiguresProps & { readonly url: URL }) {
  return (
    <ul class="headline">
      {headline
        .filter(name => Object.hasOwn(metrics, name))
        .map(name => (
          <li>
            <a
              href={withQuery(url, { metric: name === 'visitors' ? undefined : name })}
              aria-current={name === metric ? 'true' : undefined}
            >
              <span class="name">{fieldWords(name, viewer)}</span>
              <span class="figure">{shortInUnit(metrics[name], unitOf(name), viewer)}</span>
              <AddedUp metric={name} period={period} viewer={viewer} />
              <Change
                value={comparison?.change[name]}
                unit={unitOf(name)}
                isLessBetter={Metrics.properties[name].better === 'less'}
                isCompared={comparison !== undefined && metrics[name] !== null && comparison.metrics[name] !== null}
                viewer={viewer}
              />
            </a>
          </li>
        ))}
    </ul>
  )
}

interface ChartProps extends FiguresProps {
  /** Address of the form for another note. */
  readonly add: string | undefined
}

function Chart({ data: { interval, series, notes, comparison }, metric, viewer, add }: ChartProps) {
  const show = (value: number, isShort = false) => (isShort ? shortInUnit : inUnit)(value, unitOf(metric), viewer)
  const points = chartPoints({ interval, series, before: comparison?.series }, point => point[metric], viewer)
  return (
    <LineChart
      title={fieldWords(metric, viewer)}
      reader={viewer}
      points={points.map((point, i) => ({ ...point, at: series[i]?.at ?? '' }))}
      notes={notesOn(series, notes ?? [])}
      isCompared={comparison !== undefined}
      format={value => show(value)}
      short={value => show(value, true)}
      adds={
        add !== undefined && (
          <a class="add-note" href={add}>
            <Icon name="note" size="small" /> {say(viewer, m.add_note)}
          </a>
        )
      }
    />
  )
}

interface NotesProps {
  readonly notes: readonly Static<typeof Note>[]
  readonly viewer: Viewer
}

/** Dates and texts of the notes, for those who do not see the chart. */
function Notes({ notes, viewer }: NotesProps) {
  if (notes.length === 0) return null
  return (
    <ul class="notes" aria-label={say(viewer, m.notes)}>
      {notes.map(({ at, text }) => (
        <li>
          <time datetime={at}>{pointLabel(at, 'day', viewer)}</time> {text}
        </li>
      ))}
    </ul>
  )
}
