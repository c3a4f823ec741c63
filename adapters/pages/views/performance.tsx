/** How fast a site is: each web vital with its rating, one of them over time, and which pages or devices are slow. */
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { list, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { measured, VitalsTable } from './vitals.tsx'

const dimensions = ['page', 'country', 'device', 'browser', 'os'] as const

export const performance: View = {
  own: ['vital'],
  hasOptions: true,
  asks: () => ({ compare: 'previous_period' }),
  async show(seen) {
    return { content: <Performance {...seen} /> }
  },
}

function Performance({ data, url, viewer, pathOf }: Seen) {
  const vitals = list(data.vitals)
  const shown = vitals.find(({ metric }) => metric === url.searchParams.get('vital')) ?? vitals[0] ?? {}
  return (
    <>
      <section class="card" aria-labelledby="vital">
        <ul class="headline">
          {vitals.map(vital => (
            <li>
              <a href={withQuery(url, { vital: text(vital.metric) })} aria-current={vital === shown ? 'true' : undefined}>
                <span class="name">{text(vital.metric).toUpperCase()}</span>
                <span class="figure">{measured(vital.value, vital.unit, viewer)}</span>
                <Change
                  value={record(record(vital.comparison).change).value}
                  isCompared={record(vital.comparison).value !== undefined && typeof vital.value === 'number'}
                  isLessBetter
                  viewer={viewer}
                />
              </a>
            </li>
          ))}
        </ul>
        <h2 id="vital">{text(shown.label)}</h2>
        <Series vital={shown} interval={text(data.interval)} viewer={viewer} />
        <p class="ends">
          {dimensions.map(dimension => (
            <a href={linkTo(pathOf('PerformanceBreakdown', { dimension }), url, { metric: text(shown.metric) })}>
              {fieldWords(dimension, viewer)}
            </a>
          ))}
        </p>
      </section>
      <div class="card">
        <VitalsTable
          rows={vitals.map(vital => ({ ...vital, p75: vital.value, comparison: undefined }))}
          viewer={viewer}
          percentile={data.percentile}
        />
      </div>
    </>
  )
}

function Series({ vital, interval, viewer }: { vital: Row; interval: string; viewer: Viewer }) {
  const format = (value: number) => measured(value, vital.unit, viewer)
  return (
    <LineChart
      title={text(vital.label)}
      points={list(vital.series).map(point => ({
        label: pointLabel(text(point.at), interval, viewer),
        value: typeof point.value === 'number' ? point.value : null,
        isPartial: point.partial === true,
      }))}
      isCompared={false}
      none={say(viewer, 'too_few_loads')}
      reader={viewer}
      format={format}
      short={format}
    />
  )
}
