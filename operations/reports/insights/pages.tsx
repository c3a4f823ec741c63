import type { Static } from '../../../runtime/table/schema.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { inUnit, type Viewer } from '../../../runtime/ui/format.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { Sparkline } from '../../../runtime/ui/charts/sparkline.tsx'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { ReportNotes } from '../stats/components.tsx'
import { Overview, Timeseries } from '../stats/index.ts'
import { Metrics, ReportMeta } from '../stats/records.ts'
import { Insights } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Insight = Static<typeof Insights>['rows'][number]

/** Asked for, so that the most surprising ones are among them. */
const MAX_ASKED = 20
const MAX_SHOWN = 8

/** The largest changes since the days before, in sentences; each leads to the visits that it is about. */
export const insights = view(
  Insights,
  async ({ data: { rows, period, comparison }, meta, page }) => {
    const { viewer, url } = page
    if (rows.length === 0)
      return (
        <>
          <ReportNotes notes={meta.notes} page={page} />
          <Nothing
            like={{
              icon: 'insight',
              rows: [
                ['/journal/first-frost', '+ 310 %'],
                ['Newsletter', '+ 42 %'],
              ],
            }}
            help={say(viewer, m.insights_help)}
          >
            {say(viewer, m.nothing_changed)}
          </Nothing>
        </>
      )
    const max = Number(url.searchParams.get('limit')) || MAX_SHOWN
    const groups = groupsOf(rows.toSorted((a, b) => surprise(b) - surprise(a))).slice(0, max)
    const days = { from: comparison.period.first_day, to: period.last_day }
    const series = await Promise.all(groups.map(({ first }) => seriesOf(first, days, page)))
    const overview = page.pathOf(Overview)
    return (
      <>
        <ol class="insights">
          {groups.map(({ first, others }, i) => (
            <li class="card">
              <InsightCard row={first} overview={overview} viewer={viewer} />
              {others.length > 0 && (
                <p class="help">
                  {say(viewer, m.same_with, {
                    what: others
                      .map(each => `${fieldWords(each.dimension ?? '', viewer)} ${labelIn(each.dimension ?? '', each, viewer)}`)
                      .join(', '),
                  })}
                </p>
              )}
              <Sparkline values={series[i] ?? []} />
            </li>
          ))}
        </ol>
        <ReportNotes notes={meta.notes} page={page} />
      </>
    )
  },
  { meta: ReportMeta, hasOptions: true, asks: () => ({ limit: MAX_ASKED }) },
)

interface Group {
  readonly first: Insight
  /** Changes of as many visitors, such as the source of a campaign. */
  readonly others: readonly Insight[]
}

/** How unlikely a change is by chance: of counts, in standard deviations; a small number that doubles surprises less than a large one. */
const surprise = ({ metric, current, previous, impact }: Insight): number =>
  Metrics.properties[metric].unit === 'count' ? Math.abs(current - previous) / Math.sqrt(Math.max(1, current + previous)) : impact / 100

/** Changes of values of different dimensions that have the same visitors before and after, but for a few, are one. */
function groupsOf(rows: readonly Insight[]): readonly Group[] {
  const groups: { first: Insight; others: Insight[] }[] = []
  for (const row of rows) {
    const same = row.dimension === null ? undefined : groups.find(({ first }) => isSame(first, row))
    if (same) same.others.push(row)
    else groups.push({ first: row, others: [] })
  }
  return groups
}

const [MIN_VISITORS, TOLERANCE] = [20, 0.03]
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1, TOLERANCE * Math.max(a, b))
const isSame = (a: Insight, b: Insight): boolean =>
  a.dimension !== null &&
  a.dimension !== b.dimension &&
  a.current + a.previous >= MIN_VISITORS &&
  isNear(a.current, b.current) &&
  isNear(a.previous, b.previous)

/** The metric by day, over the days compared and the days after them. */
async function seriesOf(
  { metric, query: { input } }: Insight,
  days: { readonly from: string; readonly to: string },
  page: ViewedPage,
): Promise<readonly number[]> {
  const report = await page.ask(Timeseries, {
    period: 'custom',
    ...days,
    interval: 'day',
    metrics: [metric],
    filters: input.filters,
  })
  return (report?.series ?? []).map(point => point[metric] ?? 0)
}

/** `Page /pricing`, or that it is new or has gone. */
function subjectOf(row: Insight, viewer: Viewer): string {
  const what =
    row.dimension === null ? fieldWords(row.metric, viewer) : `${fieldWords(row.dimension, viewer)} ${labelIn(row.dimension, row, viewer)}`
  if (row.previous === 0) return say(viewer, m.came_new, { what })
  return row.current === 0 ? say(viewer, m.fell_to_none_2, { what }) : what
}

/** What changed and by how much; the line below has the metric and its figures. */
function InsightCard({ row, overview, viewer }: { row: Insight; overview: string | undefined; viewer: Viewer }) {
  const { unit, better } = Metrics.properties[row.metric]
  const show = (value: number) => inUnit(value, unit, viewer)
  return (
    <>
      <p>
        <b>{subjectOf(row, viewer)}</b>{' '}
        {row.previous !== 0 && row.current !== 0 && (
          <Change value={row.change} unit={unit} isCompared isLessBetter={better === 'less'} viewer={viewer} />
        )}
      </p>
      <p class="help">
        {row.dimension !== null && `${fieldWords(row.metric, viewer)} `}
        {say(viewer, m.was_before, { now: show(row.current), past: show(row.previous) })}
        {overview !== undefined && (
          <>
            {' · '}
            <a href={`${overview}?${queryOf(row)}`}>{say(viewer, m.look_closer)}</a>
          </>
        )}
      </p>
    </>
  )
}

/** The report that shows the change, as the query of its page. */
function queryOf({ metric, query: { input } }: Insight): URLSearchParams {
  const { period, from, to, compare, filters } = input
  const query = new URLSearchParams({ period, ...(from && { from }), ...(to && { to }), compare })
  if (filters.length > 0) query.set('filters', JSON.stringify(filters))
  if (metric !== 'visitors') query.set('metric', metric)
  return query
}
