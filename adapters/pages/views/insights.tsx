/** The largest changes against the days before, in sentences; each leads to the visits that it is about. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { inUnit, percent, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'

/** Metrics that are no counts. */
const units = { bounce_rate: 'percent', visit_duration: 'ms', revenue: 'minor_units' } as const
const unitOf = (metric: string) => (Object.hasOwn(units, metric) ? units[metric as keyof typeof units] : 'count') // own, so a key

export const insights: View = {
  hasOptions: true,
  async show(seen) {
    const { viewer } = seen
    const rows = list(seen.data.rows)
    if (rows.length === 0) {
      return {
        content: <Nothing>{say(viewer, 'nothing_changed')}</Nothing>,
      }
    }
    return {
      content: (
        <ol class="insights">
          {rows.map(row => (
            <li class="card">
              <Insight row={row} seen={seen} />
            </li>
          ))}
        </ol>
      ),
    }
  },
}

/** `Page /pricing: visitors: down by 40%`; the figures stand in the line below. */
function sentenceOf(row: Row, viewer: Viewer): string {
  const metric = fieldWords(text(row.metric), viewer)
  const what =
    row.dimension === null ? metric : `${fieldWords(text(row.dimension), viewer)} ${labelIn(text(row.dimension), row, viewer)}, ${metric}`
  if (row.previous === 0) return say(viewer, 'came_new', { what })
  if (row.current === 0) return say(viewer, 'fell_to_none', { what })
  const by = percent(Math.abs(number(row.change)), viewer)
  return say(viewer, number(row.current) > number(row.previous) ? 'more_by' : 'less_by', { what, by })
}

function Insight({ row, seen: { viewer, pathOf } }: { row: Row; seen: Seen }) {
  const metric = text(row.metric)
  const show = (value: unknown) => inUnit(number(value), unitOf(metric), viewer)
  const overview = pathOf('Overview')
  return (
    <>
      <p>
        <b>{sentenceOf(row, viewer)}</b>
      </p>
      <p class="help">
        {fieldWords(metric, viewer)} {say(viewer, 'was_before', { now: show(row.current), past: show(row.previous) })}{' '}
        <Change value={row.change} isCompared isLessBetter={metric === 'bounce_rate'} viewer={viewer} />
        {overview !== undefined && (
          <>
            {' · '}
            <a href={`${overview}?${queryOf(row)}`}>{say(viewer, 'look_closer')}</a>
          </>
        )}
      </p>
    </>
  )
}

/** The report that shows it, as the address of its page. */
function queryOf(row: Row): URLSearchParams {
  const { period, from, to, compare, filters } = record(record(row.query).input)
  const asked = { period: text(period), from: text(from).slice(0, 10), to: text(to).slice(0, 10), compare: text(compare) }
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''))
  if (Array.isArray(filters) && filters.length > 0) query.set('filters', JSON.stringify(filters))
  if (text(row.metric) !== 'visitors') query.set('metric', text(row.metric))
  return query
}
