import type { Static } from '../../../runtime/table/schema.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { chartPoints } from '../../../runtime/ui/charts/series.ts'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { type PointInterval, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { Clipped } from '../../../runtime/ui/clipped.tsx'
import { Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'
import { view } from '../../../runtime/ui/view.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import { pagePath } from '../stats/records.ts'
import { measured, Shares, VitalsTable } from './components.tsx'
import { performance_breakdown } from './operations.ts'
import { breakdownDimensions, Performance, PerformanceBreakdown } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Vital = Static<typeof Performance>['vitals'][number]

/** How fast a site is: each web vital with its rating, one of them over time, and ways to slow pages and devices. */
export const performance = view(
  Performance,
  ({ data: { vitals, interval, percentile }, page: { url, viewer, pathOf } }) => {
    if (vitals.every(({ samples }) => samples === 0))
      return (
        <Nothing
          like={{
            icon: 'vitals',
            rows: [
              ['LCP', '1.8 s'],
              ['INP', '120 ms'],
            ],
          }}
          help={say(viewer, m.turn_on_vitals)}
        >
          {say(viewer, m.no_loads)}
        </Nothing>
      )
    const shown = vitals.find(({ metric }) => metric === url.searchParams.get('vital')) ?? vitals[0]
    return (
      <>
        <section class="card" aria-labelledby="vital">
          <ul class="headline">
            {vitals.map(vital => (
              <li>
                <a href={withQuery(url, { vital: vital.metric })} aria-current={vital === shown ? 'true' : undefined}>
                  <span class="name">{vital.metric.toUpperCase()}</span>
                  <span class="figure">{measured(vital.value, vital.unit, viewer)}</span>
                  <Change
                    value={vital.comparison?.change.value}
                    isCompared={vital.comparison !== undefined && vital.value !== null}
                    isLessBetter
                    viewer={viewer}
                  />
                </a>
              </li>
            ))}
          </ul>
          <h2 id="vital">{shown?.label}</h2>
          {shown && <Series vital={shown} interval={interval} viewer={viewer} />}
          <p class="ways">
            <span class="help">{say(viewer, m.divided_by)}</span>
            {breakdownDimensions.map(dimension => (
              <a class="button plain" href={linkTo(pathOf(performance_breakdown, { dimension }), url, { metric: shown?.metric ?? '' })}>
                {fieldWords(dimension, viewer)}
              </a>
            ))}
          </p>
        </section>
        <div class="card">
          <VitalsTable
            rows={vitals.map(vital => ({ ...vital, p75: vital.value, comparison: undefined }))}
            viewer={viewer}
            percentile={percentile}
          />
        </div>
      </>
    )
  },
  { own: ['vital'], hasOptions: true, asks: () => ({ compare: 'previous_period' }) },
)

function Series({ vital: { label, unit, series = [] }, interval, viewer }: { vital: Vital; interval: PointInterval; viewer: Viewer }) {
  const format = (value: number) => measured(value, unit, viewer)
  return (
    <LineChart
      title={label}
      points={chartPoints({ interval, series }, point => point.value, viewer)}
      isCompared={false}
      none={say(viewer, m.too_few_loads)}
      reader={viewer}
      format={format}
      short={format}
    />
  )
}

/** Parameters that links to other dimensions keep. */
const kept = new Set(['metric', 'sort', 'percentile'])

/** One web vital by page, country, device …: where it is slow, and how often. */
export const performanceBreakdown = view(
  PerformanceBreakdown,
  async ({ data: { dimension, metric, unit, percentile, rows }, page }) => {
    const { url, viewer } = page
    const parameters = Object.fromEntries([...url.searchParams].filter(([name]) => kept.has(name)))
    const max = Math.max(1, ...rows.map(({ samples }) => samples))
    const path = await page.fill(pagePath, {})
    const content = (
      <>
        <nav class="tabs" aria-label={say(viewer, ui.dimension)}>
          {breakdownDimensions.map(name => (
            <a
              href={linkTo(page.pathOf(performance_breakdown, { dimension: name }), url, parameters)}
              aria-current={name === dimension ? 'true' : undefined}
            >
              {fieldWords(name, viewer)}
            </a>
          ))}
        </nav>
        {rows.length === 0 ? (
          <Nothing
            like={{
              icon: 'vitals',
              rows: [
                ['/shop', '2.1 s'],
                ['/', '1.4 s'],
              ],
            }}
            help={say(viewer, m.vitals_help)}
          >
            {say(viewer, m.no_vitals)}
          </Nothing>
        ) : (
          <FigureTable
            label={fieldWords(dimension, viewer)}
            of={fieldWords(dimension, viewer)}
            columns={[
              `${metric.toUpperCase()} p${percentile}`,
              { text: say(viewer, m.rating) },
              { text: say(viewer, m.good_to_poor) },
              say(viewer, m.loads),
            ]}
            rows={rows.map(row => ({
              head: (
                <>
                  <Bar value={row.samples} max={max} />
                  {dimension === 'page' && row.value !== '' ? (
                    <a href={linkTo(path, url, { path: row.value })}>
                      <Mark dimension={dimension} value={row.value} label={row.label} />
                      <Clipped text={labelIn(dimension, row, viewer)} />
                    </a>
                  ) : (
                    <span class="named">
                      <Mark dimension={dimension} value={row.value} label={row.label} />
                      <span>{labelIn(dimension, row, viewer)}</span>
                    </span>
                  )}
                </>
              ),
              cells: [
                measured(row.measured, unit, viewer),
                row.rating === null ? <span class="help">{say(viewer, m.too_few)}</span> : <Tag value={row.rating} viewer={viewer} />,
                row.rating !== null && <Shares row={row} viewer={viewer} />,
                plainNumber(row.samples, viewer),
              ],
            }))}
            hasBars
          />
        )}
      </>
    )
    return { title: say(viewer, m.performance_by, { what: fieldWords(dimension, viewer) }), content }
  },
  { hasOptions: true },
)
