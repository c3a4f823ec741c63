/** One event: how often, since when, with what properties, on which pages. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { inUnit, instant, plainNumber, pointLabel } from '../../../runtime/ui/format.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { Figures } from '../../../runtime/ui/figures.tsx'
import { pageLink } from './page-link.ts'
import { valueRow } from './page-detail.tsx'
import { fieldsOf, list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

const metrics = ['events', 'visitors', 'visits', 'revenue'] as const

export const eventDetail: View = {
  own: ['metric'],
  asks: () => ({ compare: 'previous_period' }),
  async show(seen) {
    return { title: text(seen.data.label), content: <EventDetail {...seen} /> }
  },
}

function EventDetail(seen: Seen) {
  const { schema, data, url, viewer } = seen
  const comparison = data.comparison === undefined ? undefined : record(data.comparison)
  const fields = fieldsOf(schema, 'metrics')
  const metric = metrics.find(name => name === url.searchParams.get('metric')) ?? 'events'
  const series = list(data.series)
  const before = list(comparison?.series)
  const show = (value: number, isShort = false) => inUnit(value, fields[metric]?.unit, viewer, isShort)
  return (
    <>
      <section class="card" aria-labelledby="event">
        <div class="between">
          <h2 id="event">{say(viewer, 'event')}</h2>
          <p class="help">
            {typeof data.first_seen_at === 'string'
              ? say(viewer, 'first_seen', { when: instant(data.first_seen_at, viewer) })
              : say(viewer, 'never_seen')}
            {typeof data.last_seen_at === 'string' && `, ${say(viewer, 'last_seen', { when: instant(data.last_seen_at, viewer) })}`}
          </p>
        </div>
        {data.hidden === true && <p class="notice">{say(viewer, 'event_hidden')}</p>}
        <Figures
          label={say(viewer, 'event_figures')}
          figures={record(data.metrics)}
          fields={fields}
          change={comparison && record(comparison.change)}
          viewer={viewer}
        />
        <nav class="tabs" aria-label={say(viewer, 'metric')}>
          {metrics.map(name => (
            <a href={withQuery(url, { metric: name === 'events' ? undefined : name })} aria-current={name === metric ? 'true' : undefined}>
              {fieldWords(name, viewer)}
            </a>
          ))}
        </nav>
        <LineChart
          reader={viewer}
          title={fieldWords(metric, viewer)}
          points={series.map((point, i) => ({
            label: pointLabel(text(point.at), text(data.interval), viewer),
            value: number(point[metric]),
            before: typeof before[i]?.[metric] === 'number' ? number(before[i]?.[metric]) : null,
            isPartial: point.partial === true,
          }))}
          isCompared={comparison !== undefined}
          format={value => show(value)}
          short={value => show(value, true)}
        />
      </section>
      <div class="panels">
        {list(data.properties).map((property, i) => (
          <Values title={text(property.label)} id={`property-${i}`} label={say(viewer, 'value')} rows={list(property.rows)} seen={seen} />
        ))}
        <Values
          title={say(viewer, 'pages_shown')}
          id="pages"
          label={say(viewer, 'page')}
          rows={list(data.pages)}
          seen={seen}
          hrefOf={row => pageLink(seen, text(row.value))}
        />
        <Values title={say(viewer, 'sources')} id="sources" label={say(viewer, 'source')} rows={list(data.sources)} seen={seen} />
        <Aggregates rows={list(data.aggregates)} seen={seen} />
      </div>
    </>
  )
}

interface ValuesProps {
  readonly title: string
  readonly id: string
  readonly label: string
  readonly rows: readonly Row[]
  readonly seen: Seen
  hrefOf?(row: Row): string | undefined
}

function Values({ title, id, label, rows, seen, hrefOf }: ValuesProps) {
  const { viewer } = seen
  return (
    <Panel title={title} id={id}>
      <BarTable
        viewer={viewer}
        label={label}
        columns={[say(viewer, 'events'), rows.some(row => row.comparison !== undefined) ? say(viewer, 'change_of') : say(viewer, 'share')]}
        rows={rows.map(row => ({ ...valueRow(row, 'events', seen), href: hrefOf?.(row) }))}
      />
    </Panel>
  )
}

const measures = ['count', 'sum', 'mean', 'median', 'p90', 'min', 'max'] as const

/** Sum, mean and percentiles of properties that are numbers. */
function Aggregates({ rows, seen: { viewer } }: { rows: readonly Row[]; seen: Seen }) {
  if (rows.length === 0) return null
  return (
    <section class="card scroll" tabindex={0} aria-label={say(viewer, 'numbers')}>
      <table class="list stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, 'property')}</th>
            {measures.map(name => (
              <th scope="col" class="number">
                {fieldWords(name, viewer)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              <th scope="row">{text(row.label)}</th>
              {measures.map(name => (
                <td class="number" data-label={fieldWords(name, viewer)}>
                  {plainNumber(number(row[name]), viewer)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
