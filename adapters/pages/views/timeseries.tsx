/** Metrics over time: one of them as a chart, the others a click away. */
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { inUnit, pointLabel } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import { fieldsOf, list, number, record, text } from './read.ts'
import type { View } from './view.ts'

export const timeseries: View = {
  own: ['metric'],
  asks: () => ({ compare: 'previous_period' }),
  async show({ schema, data, url, viewer }) {
    const fields = fieldsOf(schema, 'series')
    const [series, before] = [list(data.series), list(record(data.comparison).series)]
    const metrics = Object.keys(series[0] ?? {}).filter(name => typeof series[0]?.[name] === 'number')
    const asked = url.searchParams.get('metric') ?? ''
    const metric = metrics.includes(asked) ? asked : (metrics[0] ?? '')
    const show = (value: number, isShort = false) => inUnit(value, fields[metric]?.unit, viewer, isShort)
    return {
      content: (
        <section class="card" aria-label={fieldWords(metric, viewer)}>
          <nav class="tabs" aria-label={say(viewer, 'metric')}>
            {metrics.map(name => (
              <a href={withQuery(url, { metric: name })} aria-current={name === metric ? 'true' : undefined}>
                {fieldWords(name, viewer)}
              </a>
            ))}
          </nav>
          <LineChart
            title={fieldWords(metric, viewer)}
            reader={viewer}
            points={series.map((point, i) => ({
              label: pointLabel(text(point.at), text(data.interval), viewer),
              value: number(point[metric]),
              before: typeof before[i]?.[metric] === 'number' ? number(before[i]?.[metric]) : null,
              isPartial: point.partial === true,
            }))}
            isCompared={before.length > 0}
            format={value => show(value)}
            short={value => show(value, true)}
          />
        </section>
      ),
    }
  },
}
