import type { Static } from '../../../runtime/table/schema.ts'
import { Change, changeShown } from '../../../runtime/ui/change.tsx'
import { inUnit, type Viewer } from '../../../runtime/ui/format.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { view } from '../../../runtime/ui/view.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { Overview } from '../stats/index.ts'
import { Metrics } from '../stats/records.ts'
import { Insights } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Insight = Static<typeof Insights>['rows'][number]

/** The largest changes since the days before, in sentences; each leads to the visits that it is about. */
export const insights = view(
  Insights,
  ({ data: { rows }, page: { viewer, pathOf } }) =>
    rows.length === 0 ? (
      <Nothing>{say(viewer, m.nothing_changed)}</Nothing>
    ) : (
      <ol class="insights">
        {rows.map(row => (
          <li class="card">
            <InsightCard row={row} overview={pathOf(Overview)} viewer={viewer} />
          </li>
        ))}
      </ol>
    ),
  { hasOptions: true },
)

/** `Page /pricing: visitors: down by 40%`; the line below has the figures. */
function sentenceOf(row: Insight, viewer: Viewer): string {
  const metric = fieldWords(row.metric, viewer)
  const what = row.dimension === null ? metric : `${fieldWords(row.dimension, viewer)} ${labelIn(row.dimension, row, viewer)}, ${metric}`
  if (row.previous === 0) return say(viewer, m.came_new, { what })
  if (row.current === 0) return say(viewer, m.fell_to_none_2, { what })
  const by = changeShown(Math.abs(row.change ?? 0), Metrics.properties[row.metric].unit, viewer)
  return say(viewer, row.current > row.previous ? m.more_by : m.less_by, { what, by })
}

function InsightCard({ row, overview, viewer }: { row: Insight; overview: string | undefined; viewer: Viewer }) {
  const { unit, better } = Metrics.properties[row.metric]
  const show = (value: number) => inUnit(value, unit, viewer)
  return (
    <>
      <p>
        <b>{sentenceOf(row, viewer)}</b>
      </p>
      <p class="help">
        {fieldWords(row.metric, viewer)} {say(viewer, m.was_before, { now: show(row.current), past: show(row.previous) })}{' '}
        <Change value={row.change} unit={unit} isCompared isLessBetter={better === 'less'} viewer={viewer} />
        {overview !== undefined && (
          <>
            {' · '}
            <a href={`${overview}?${queryOf(row)}`}>{say(viewer, m.look_closer)}</a>
          </>
        )}
      </p>
    </>
  )
}

/** The report that shows the change, as the query of its page. */
function queryOf({ metric, query: { input } }: Insight): URLSearchParams {
  const { period, from, to, compare, filters } = input
  const query = new URLSearchParams({ period, ...(from && { from }), ...(to && { to }), compare })
  if (filters.length > 0) query.set('filters', JSON.stringify(filters))
  if (metric !== 'visitors') query.set('metric', metric)
  return query
}
