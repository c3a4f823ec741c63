import { headline, ofSeries } from '../../../../storage/engine/vocabulary/metrics.ts'
import { LineChart } from '../../../../runtime/ui/charts/line.tsx'
import { chartPoints } from '../../../../runtime/ui/charts/series.ts'
import { inUnit, shortInUnit } from '../../../../runtime/ui/format.ts'
import { view } from '../../../../runtime/ui/view.ts'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { ReportMeta, SeriesPoint, Timeseries } from '../records.ts'
import { ReportNotes } from '../components.tsx'
import { measured } from '../measured.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

/** Metrics over time: one of them as a chart, the others a click away. */
export const timeseries = view(
  Timeseries,
  ({ data, meta, page }) => {
    const { url, viewer } = page
    const { series, interval, comparison } = data
    const metrics = [...headline, ...ofSeries].filter(name => series[0]?.[name] !== undefined)
    const asked = url.searchParams.get('metric')
    const metric = metrics.find(name => name === asked) ?? metrics[0] ?? 'visitors'
    const show = (value: number, isShort = false) => (isShort ? shortInUnit : inUnit)(value, SeriesPoint.properties[metric].unit, viewer)
    return (
      <section class="card" aria-label={fieldWords(metric, viewer)}>
        <nav class="tabs" aria-label={say(viewer, ui.metric)}>
          {metrics.map(name => (
            <a href={withQuery(url, { metric: name })} aria-current={name === metric ? 'true' : undefined}>
              {fieldWords(name, viewer)}
            </a>
          ))}
        </nav>
        <LineChart
          title={fieldWords(metric, viewer)}
          reader={viewer}
          points={chartPoints({ interval, series, before: comparison?.series }, point => measured(metric, point), viewer)}
          isCompared={comparison !== undefined && comparison.series.length > 0}
          format={value => show(value)}
          short={value => show(value, true)}
        />
        <ReportNotes notes={meta.notes} page={page} />
      </section>
    )
  },
  { meta: ReportMeta, own: ['metric'], asks: () => ({ compare: 'previous_period', include_imported: true }) },
)
