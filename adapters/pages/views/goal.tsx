/** One goal: who reached it in the last 30 days, beside what it is. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { plainNumber, pointLabel, shortNumber } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { list, number, record, text } from './read.ts'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'
import type { View } from './view.ts'

export const goal: View = {
  async show({ schema, data, viewer, url, ask, pathOf }) {
    const filters = [['goal', 'is', text(data.id)]]
    const report = await ask('Timeseries', { period: '30d', metrics: ['visitors'], compare: 'previous_period', filters })
    const before = list(record(report?.comparison).series)
    const overview = pathOf('Overview')
    return {
      content: (
        <>
          {report && (
            <section class="card" aria-labelledby="lately">
              <div class="between">
                <h2 id="lately">{say(viewer, 'who_reached')}</h2>
                {overview !== undefined && (
                  <a href={withCondition(new URL(overview, url), 'goal', text(data.id))}>{say(viewer, 'who_they_were')}</a>
                )}
              </div>
              <LineChart
                reader={viewer}
                title={say(viewer, 'visitors')}
                points={list(report.series).map((point, i) => ({
                  label: pointLabel(text(point.at), text(report.interval), viewer),
                  value: number(point.visitors),
                  before: typeof before[i]?.visitors === 'number' ? number(before[i]?.visitors) : null,
                  isPartial: point.partial === true,
                }))}
                isCompared={before.length > 0}
                format={value => plainNumber(value, viewer)}
                short={value => shortNumber(value, viewer)}
              />
            </section>
          )}
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} without={new Set(['id', 'site_id', 'name'])} />
          </div>
        </>
      ),
    }
  },
}
