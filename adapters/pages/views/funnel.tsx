/** How far visitors come through a funnel, and where they are lost. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { FunnelChart } from '../../../runtime/ui/charts/funnel.tsx'
import { percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { Figures } from '../../../runtime/ui/figures.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { fieldsOf, list, number, record, type Row, text } from './read.ts'
import type { View } from './view.ts'

export const funnelReport: View = {
  asks: () => ({ compare: 'previous_period' }),
  async show({ schema, data, viewer }) {
    const rows = list(data.rows)
    const comparison = data.comparison === undefined ? undefined : record(data.comparison)
    return {
      title: text(record(data.funnel).name),
      content: (
        <>
          <section class="card" aria-label={say(viewer, 'steps')}>
            <Figures
              label={say(viewer, 'in_all_figures')}
              figures={record(data.metrics)}
              fields={fieldsOf(schema, 'metrics')}
              change={comparison && record(comparison.change)}
              viewer={viewer}
              without={['visitors', 'visits']}
            />
            <Steps rows={rows} viewer={viewer} />
          </section>
          {comparison && <Compared rows={rows} viewer={viewer} />}
        </>
      ),
    }
  },
}

/** The funnel itself, with how it did lately. */
export const funnel: View = {
  async show({ schema, data, viewer, url, ask, pathOf }) {
    const report = await ask('FunnelReport', { period: '30d' })
    return {
      content: (
        <>
          {report && (
            <section class="card" aria-labelledby="lately">
              <div class="between">
                <h2 id="lately">{say(viewer, 'last_30_days')}</h2>
                <a href={linkTo(pathOf('FunnelReport'), url)}>{say(viewer, 'other_periods')}</a>
              </div>
              <Steps rows={list(report.rows)} viewer={viewer} />
            </section>
          )}
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} without={new Set(['site_id', 'id', ...(report ? ['steps'] : [])])} />
          </div>
        </>
      ),
    }
  },
}

export function Steps({ rows, viewer }: { rows: readonly Row[]; viewer: Viewer }) {
  if (number(rows[0]?.visitors) === 0) return <p class="none">{say(viewer, 'no_first_step')}</p>
  return (
    <FunnelChart
      label={say(viewer, 'steps')}
      steps={rows.map((row, i) => ({
        label: text(row.label),
        share: number(row.conversion_rate),
        figure: `${plainNumber(number(row.visitors), viewer)} · ${percent(number(row.conversion_rate), viewer)}`,
        lost:
          i === 0
            ? undefined
            : say(viewer, 'lost', {
                count: plainNumber(number(row.drop_off), viewer),
                share: percent(number(row.drop_off_rate), viewer),
                rest: percent(number(row.step_conversion_rate), viewer),
              }),
      }))}
    />
  )
}

function Compared({ rows, viewer }: { rows: readonly Row[]; viewer: Viewer }) {
  return (
    <section class="card scroll" tabindex={0} aria-label={say(viewer, 'against_before')}>
      <table class="list stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, 'step')}</th>
            <th scope="col" class="number">
              {say(viewer, 'visitors')}
            </th>
            <th scope="col" class="number">
              {say(viewer, 'before')}
            </th>
            <th scope="col" class="number">
              {say(viewer, 'conversion')}
            </th>
            <th scope="col" class="number">
              {say(viewer, 'before')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => {
            const before = record(row.comparison)
            return (
              <tr>
                <th scope="row">{text(row.label)}</th>
                <td class="number" data-label={say(viewer, 'visitors')}>
                  {plainNumber(number(row.visitors), viewer)}{' '}
                  <Change value={record(before.change).visitors} isCompared={row.comparison !== undefined} viewer={viewer} />
                </td>
                <td class="number" data-label={say(viewer, 'before')}>
                  {plainNumber(number(before.visitors), viewer)}
                </td>
                <td class="number" data-label={say(viewer, 'conversion')}>
                  {percent(number(row.conversion_rate), viewer)}{' '}
                  <Change value={record(before.change).conversion_rate} isCompared={row.comparison !== undefined} viewer={viewer} />
                </td>
                <td class="number" data-label={say(viewer, 'before')}>
                  {percent(number(before.conversion_rate), viewer)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
