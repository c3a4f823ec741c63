/** One event: how often, since when, with what properties, on which pages. */
import { LineChart } from '../charts/line.tsx'
import { inUnit, instant, plainNumber, pointLabel } from '../format.ts'
import { withQuery, words } from '../words.ts'
import { BarTable, Panel } from './bar-table.tsx'
import { Figures } from './figures.tsx'
import { pageLink } from './links.ts'
import { valueRow } from './page-detail.tsx'
import { fieldsOf, list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

const metrics = ['events', 'visitors', 'visits', 'revenue'] as const

export const eventDetail: View = {
  own: ['metric'],
  asks: () => ({ compare: 'previous_period' }),
  async show(seen) {
    return { content: <EventDetail {...seen} /> }
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
          <h2 id="event">{text(data.label)}</h2>
          <p class="help">
            {typeof data.first_seen_at === 'string' ? `First ${instant(data.first_seen_at, viewer)}` : 'Never seen'}
            {typeof data.last_seen_at === 'string' && `, last ${instant(data.last_seen_at, viewer)}`}
          </p>
        </div>
        {data.hidden === true && <p class="notice">Lists of events leave this one out.</p>}
        <Figures
          label="Figures of the event"
          figures={record(data.metrics)}
          fields={fields}
          change={comparison && record(comparison.change)}
          viewer={viewer}
        />
        <nav class="tabs" aria-label="Metric">
          {metrics.map(name => (
            <a href={withQuery(url, { metric: name === 'events' ? undefined : name })} aria-current={name === metric ? 'true' : undefined}>
              {words(name)}
            </a>
          ))}
        </nav>
        <LineChart
          title={words(metric)}
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
          <Values title={text(property.label)} id={`property-${i}`} label="Value" rows={list(property.rows)} seen={seen} />
        ))}
        <Values title="Pages" id="pages" label="Page" rows={list(data.pages)} seen={seen} hrefOf={row => pageLink(seen, text(row.value))} />
        <Values title="Sources" id="sources" label="Source" rows={list(data.sources)} seen={seen} />
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
  return (
    <Panel title={title} id={id}>
      <BarTable
        label={label}
        columns={['Events', rows.some(row => row.comparison !== undefined) ? 'Change' : 'Share']}
        rows={rows.map(row => ({ ...valueRow(row, 'events', seen), href: hrefOf?.(row) }))}
      />
    </Panel>
  )
}

const measures = ['count', 'sum', 'mean', 'median', 'p90', 'min', 'max'] as const

/** Of properties that are numbers. */
function Aggregates({ rows, seen: { viewer } }: { rows: readonly Row[]; seen: Seen }) {
  if (rows.length === 0) return null
  return (
    <section class="card scroll" tabindex={0} aria-label="Properties that are numbers">
      <table>
        <thead>
          <tr>
            <th scope="col">Property</th>
            {measures.map(name => (
              <th scope="col" class="number">
                {words(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              <th scope="row">{text(row.label)}</th>
              {measures.map(name => (
                <td class="number">{plainNumber(number(row[name]), viewer)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
