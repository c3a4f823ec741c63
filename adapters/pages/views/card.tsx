/** A card of a dashboard: its report in the form that the report has on its own page, in less space. */
import { type Key, say } from '../../../runtime/ui/languages/index.ts'
import type { TSchema } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { duration, inUnit, percent, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { BarTable } from '../../../runtime/ui/bar-table.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { Steps } from './funnel.tsx'
import { Now } from './live.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { fieldsOf, list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { VitalsTable } from './vitals.tsx'

export const card: View = {
  async show({ schema, data, viewer, pathOf }) {
    return {
      content: (
        <section class="card panel">
          <h2>{cardTitle(data, viewer)}</h2>
          <CardContent data={data} schema={schema} viewer={viewer} pathOf={pathOf} id="card" />
        </section>
      ),
    }
  },
}

const titles: Readonly<Record<string, Key>> = { goal: 'goals', live: 'now', funnel: 'funnel', uptime: 'uptime', vitals: 'web_vitals' }

/** Its own, or what it shows. @param card the card, or its data */
export function cardTitle(card: Row, viewer: Viewer): string {
  if (text(card.title) !== '') return text(card.title)
  const { metric, dimension } = { ...card, ...record(card.params) }
  const key = titles[text(card.type)]
  return key ? say(viewer, key) : fieldWords(text(card.type === 'breakdown' ? (dimension ?? 'page') : (metric ?? 'visitors')), viewer)
}

export interface CardProps {
  readonly data: Row
  /** Schema of all types of cards. */
  readonly schema: TSchema
  readonly viewer: Viewer
  readonly pathOf: Seen['pathOf']
  /** Metric that a breakdown is ranked by. */
  readonly metric?: string | undefined
  /** Names its parts on the page. */
  readonly id: string
}

/** By the type of the card. */
const contents: Readonly<Record<string, (props: CardProps) => unknown>> = {
  metric: Metric,
  chart: Chart,
  breakdown: Values,
  goal: Values,
  live: ({ data, viewer, id }) => <Now data={data} viewer={viewer} id={id} />,
  funnel: ({ data, viewer }) => <Steps rows={list(data.rows)} viewer={viewer} />,
  uptime: Uptime,
  vitals: ({ data, viewer }) => <VitalsTable rows={list(data.rows)} viewer={viewer} />,
}

export function CardContent(props: CardProps) {
  const type = text(props.data.type)
  const Content = Object.hasOwn(contents, type) ? contents[type] : undefined
  return <>{Content?.(props)}</>
}

/** Units of this type's figures. */
function fieldsIn({ schema, data }: CardProps, name: string) {
  const variants: readonly TSchema[] = schema.anyOf ?? []
  return fieldsOf(variants.find(({ properties }) => properties?.type?.const === data.type) ?? schema, name)
}

function Metric(props: CardProps) {
  const { data, viewer } = props
  const metric = text(data.metric)
  const { unit, better } = fieldsIn(props, 'metrics')[metric] ?? {}
  const value = record(data.metrics)[metric]
  if (typeof value !== 'number') return <p class="none">{say(viewer, 'not_shown')}</p>
  return (
    <p class="headline-figure">
      <span class="figure">{inUnit(value, unit, viewer, true)}</span>{' '}
      <Change
        value={record(record(data.comparison).change)[metric]}
        isCompared={data.comparison !== undefined}
        isLessBetter={better === 'less'}
        viewer={viewer}
      />
    </p>
  )
}

function Chart(props: CardProps) {
  const { data, viewer } = props
  const metric = text(data.metric)
  const { unit } = fieldsIn(props, 'series')[metric] ?? {}
  const before = list(record(data.comparison).series)
  const points = list(data.series)
  if (points.length > 0 && points.every(point => typeof point[metric] !== 'number')) return <p class="none">{say(viewer, 'not_shown')}</p>
  return (
    <LineChart
      title={fieldWords(metric, viewer)}
      reader={viewer}
      points={points.map((point, i) => ({
        label: pointLabel(text(point.at), text(data.interval), viewer),
        value: number(point[metric]),
        before: typeof before[i]?.[metric] === 'number' ? number(before[i]?.[metric]) : null,
        isPartial: point.partial === true,
      }))}
      isCompared={before.length > 0}
      format={value => inUnit(value, unit, viewer)}
      short={value => inUnit(value, unit, viewer, true)}
    />
  )
}

function Values(props: CardProps) {
  const { data, viewer, metric = 'visitors' } = props
  const rows = list(data.rows)
  const isOfGoals = rows.some(row => typeof row.conversions === 'number')
  const ranked = rows.some(row => typeof row[metric] === 'number') ? metric : 'visitors'
  const { unit } = fieldsIn(props, 'rows')[ranked] ?? {}
  return (
    <BarTable
      viewer={viewer}
      label={fieldWords(text(data.dimension), viewer)}
      columns={[fieldWords(ranked, viewer), say(viewer, isOfGoals ? 'rate' : 'share')]}
      rows={rows.map(row => ({
        label: labelIn(text(data.dimension), row, viewer),
        weight: number(row[ranked]),
        cells: [
          inUnit(number(row[ranked]), unit ?? 'count', viewer, true),
          percent(number(isOfGoals ? row.conversion_rate : row.share), viewer),
        ],
      }))}
    />
  )
}

function Uptime({ data, viewer, pathOf }: CardProps) {
  const checks = list(data.checks)
  if (checks.length === 0) return <p class="none">{say(viewer, 'nothing_watched')}</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{say(viewer, 'check')}</th>
          <th scope="col" class="number">
            {say(viewer, 'period_30d')}
          </th>
          <th scope="col" class="number">
            {say(viewer, 'answer')}
          </th>
        </tr>
      </thead>
      <tbody>
        {checks.map(check => {
          const whole = record(check.uptime)['30d']
          return (
            <tr>
              <th scope="row">
                <a href={pathOf('UptimeCheckDetail', { id: text(check.id) })}>{text(check.name)}</a>{' '}
                <Tag value={check.status} viewer={viewer} />
              </th>
              <td class="number">{typeof whole === 'number' ? percent(whole, viewer) : '–'}</td>
              <td class="number">{typeof check.last_response_ms === 'number' ? duration(check.last_response_ms, viewer) : '–'}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
