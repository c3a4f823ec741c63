/** The overview of two segments next to each other: figures, one of them over time, and the values that differ. */
import type { Static } from '../../../../runtime/table/schema.ts'
import { LineChart } from '../../../../runtime/ui/charts/line.tsx'
import { chartPoints } from '../../../../runtime/ui/charts/series.ts'
import { Line } from '../../../../runtime/ui/fields/line.tsx'
import { inUnit, percent, shortInUnit, type Viewer } from '../../../../runtime/ui/format.ts'
import { Form } from '../../../../runtime/ui/form.tsx'
import { Icon, Mark } from '../../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { Kept } from '../../../../runtime/ui/periods.tsx'
import { Bar, Nothing } from '../../../../runtime/ui/share.tsx'
import { listOf } from '../../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../../runtime/ui/words.ts'
import { Segment } from '../../../sites/segments/records.ts'
import { stats_breakdown, stats_overview } from '../operations.ts'
import type { BreakdownRow, ReportMeta } from '../records.ts'
import type { Overview } from '../overview/records.ts'
import { figureOf, type Headline, headlineOf, nameOf, unitOf } from './headline.ts'
import { askedBy } from './narrowed-by.ts'
import { dimensionOfTab, type PanelTabs, panelsFor, tabLabel, tabOf } from './panels.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { m } from '../messages.ts'
import { Clipped } from '../../../../runtime/ui/clipped.tsx'
import { say } from '../../../../runtime/texts/say.ts'

/** Parameter of the address: the segment on the right; `segment_id` is the one on the left. */
export const BESIDE = 'beside'
/** All visitors. */
export const EVERYONE = 'all'
const [MAX_ROWS, MAX_VALUES] = [8, 100]

type Report = Pick<Static<typeof Overview>, 'metrics' | 'series' | 'interval' | 'comparison'>
type Meta = Pick<Static<typeof ReportMeta>, 'filters'>
interface Side {
  readonly name: string
  readonly report: Report
}

/** @param left the overview of the segment of the address */
export async function twoSegments(left: Report, meta: Meta, page: ViewedPage) {
  const { url, viewer } = page
  const segments = (await page.ask(listOf(Segment), { per_page: 100 })) ?? []
  const chosen = { left: url.searchParams.get('segment_id') ?? '', right: url.searchParams.get(BESIDE) ?? EVERYONE }
  const nameOfSegment = (id: string) => segments.find(each => each.id === id)?.name ?? say(viewer, ui.no_segment)
  const right = await page.ask(stats_overview, { ...askedOf(url, chosen.right), panels: [] })
  const panels = await Promise.all(panelsFor(page.may).map(panel => valuesOf(panel, { page, chosen })))
  if (segments.length === 0 || !right) return <Nothing>{say(viewer, m.no_segments_to_compare)}</Nothing>
  const sides: readonly [Side, Side] = [
    { name: nameOfSegment(chosen.left), report: left },
    { name: nameOfSegment(chosen.right), report: right },
  ]
  const options = segments.map(({ id, name }) => [id, name] as const)
  const metric = headlineOf(left, meta).find(name => name === url.searchParams.get('metric')) ?? 'visitors'
  return (
    <>
      <Form method="GET" class="card two-choices">
        <Kept url={url} without={['segment_id', BESIDE, 'page']} />
        <Line
          id="left"
          name="segment_id"
          label={say(viewer, m.one_segment)}
          value={chosen.left}
          blank={say(viewer, ui.no_segment)}
          options={options}
        />
        <Line
          id="right"
          name={BESIDE}
          label={say(viewer, m.other_segment)}
          value={chosen.right}
          options={[[EVERYONE, say(viewer, ui.no_segment)], ...options]}
        />
        <button type="submit">{say(viewer, ui.compare)}</button>
        <a class="button plain" href={withQuery(url, { [BESIDE]: undefined })}>
          {say(viewer, m.stop_comparing)}
        </a>
      </Form>
      <section class="card glance" aria-label={say(viewer, m.at_a_glance)}>
        <Figures sides={sides} meta={meta} metric={metric} url={url} viewer={viewer} />
        <Chart sides={sides} metric={metric} viewer={viewer} />
      </section>
      <div class="panels">
        {panels.map(panel => (
          <Values {...panel} sides={sides} page={page} />
        ))}
      </div>
    </>
  )
}

const askedOf = (url: URL, segment: string): Readonly<Record<string, unknown>> => {
  const { segment_id: _, compare: __, ...asked } = askedBy(url)
  return { ...asked, compare: 'none', ...(segment !== '' && segment !== EVERYONE && { segment_id: segment }) }
}

interface SidesProps {
  readonly sides: readonly [Side, Side]
  readonly metric: Headline
  readonly viewer: Viewer
}

function Figures({ sides: [left, right], meta, metric, url, viewer }: SidesProps & { readonly meta: Meta; readonly url: URL }) {
  const shown = (name: Headline, { report }: Side) => shortInUnit(figureOf(name, report.metrics), unitOf(name), viewer)
  return (
    <ul class="headline two">
      {headlineOf(left.report, meta).map(name => (
        <li>
          <a href={withQuery(url, { metric: name === 'visitors' ? undefined : name })} aria-current={name === metric ? 'true' : undefined}>
            <span class="name">{nameOf(name, viewer)}</span>
            <span class="figure">
              <span class="unseen">{left.name}: </span>
              {shown(name, left)}
            </span>
            <span class="figure other">
              <span class="unseen">{right.name}: </span>
              {shown(name, right)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Chart({ sides: [left, right], metric, viewer }: SidesProps) {
  const { interval, series } = left.report
  const show = (value: number, isShort = false) => (isShort ? shortInUnit : inUnit)(value, unitOf(metric), viewer)
  return (
    <LineChart
      title={nameOf(metric, viewer)}
      reader={viewer}
      points={chartPoints({ interval, series, before: right.report.series }, point => figureOf(metric, point), viewer).map(point => ({
        ...point,
        beforeLabel: undefined,
      }))}
      isCompared
      names={{ now: left.name, before: right.name }}
      format={value => show(value)}
      short={value => show(value, true)}
    />
  )
}

type Row = Static<typeof BreakdownRow>
interface Compared {
  readonly row: Row
  readonly shares: readonly [number, number]
}
interface PanelValues {
  readonly panel: PanelTabs
  readonly dimension: string
  readonly label: string
  readonly rows: readonly Compared[]
}

/** The values of the tab that is open, the most frequent of both first. Shares, as the segments differ in size. */
async function valuesOf(
  panel: PanelTabs,
  { page, chosen }: { readonly page: ViewedPage; readonly chosen: { readonly left: string; readonly right: string } },
): Promise<PanelValues> {
  const { tab } = tabOf(page.url.searchParams, panel)
  const dimension = dimensionOfTab(tab) ?? 'event'
  const [left, right] = await Promise.all(
    [chosen.left, chosen.right].map(async segment => {
      const report = await page.ask(stats_breakdown, { dimension, ...askedOf(page.url, segment), limit: MAX_VALUES })
      return new Map(report?.rows.map(row => [row.value, row]))
    }),
  )
  const share = (row: Row | undefined) => row?.conversion_rate ?? row?.share ?? 0
  const values = new Map([...(right ?? []), ...(left ?? [])])
  const rows = [...values].map(([value, row]): Compared => ({ row, shares: [share(left?.get(value)), share(right?.get(value))] }))
  return {
    panel,
    dimension,
    label: say(page.viewer, tabLabel(tab === 'map' ? 'country' : tab === 'property' ? 'event' : tab)),
    rows: rows.toSorted((a, b) => b.shares[0] + b.shares[1] - a.shares[0] - a.shares[1]).slice(0, MAX_ROWS),
  }
}

function Values({
  panel,
  dimension,
  label,
  rows,
  sides: [left, right],
  page: { viewer },
}: PanelValues & Pick<SidesProps, 'sides'> & { readonly page: ViewedPage }) {
  const max = Math.max(1, ...rows.flatMap(({ shares }) => shares))
  return (
    <section class="card panel two" aria-labelledby={`panel-${panel.name}`} id={panel.name}>
      <h2 id={`panel-${panel.name}`}>{label}</h2>
      {rows.length === 0 ? (
        <p class="none">{say(viewer, ui.nothing_in_period)}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              <th scope="col" class="number key now" title={left.name}>
                {left.name}
              </th>
              <th scope="col" class="number key before" title={right.name}>
                {right.name}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, shares }) => (
              <tr>
                <th scope="row">
                  <Bar value={shares[0]} max={max} />
                  <Bar value={shares[1]} max={max} />
                  <span class="named">
                    <Mark dimension={dimension} value={row.value} label={row.label} />
                    <Clipped text={labelIn(dimension, row, viewer)} />
                  </span>
                </th>
                {shares.map(share => (
                  <td class="number">{percent(share, viewer)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The way to the comparison: the segment of the address, or the filters, next to all visitors. */
export function CompareLink({ url, viewer }: Pick<ViewedPage, 'url' | 'viewer'>) {
  return (
    <a class="add-note" href={withQuery(url, { [BESIDE]: EVERYONE })}>
      <Icon name="segment" size="small" /> {say(viewer, m.compare_segments)}
    </a>
  )
}
