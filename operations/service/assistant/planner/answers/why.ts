/** Explains a change: the figure, the values that gained or lost most, and notes of that time. */
import { figure, plain, type Shown, shownAs, worded } from '../../figures.ts'
import { tableOf } from '../charts.ts'
import { Unclear } from '../extract.ts'
import { fieldsOf, numberOf, rowsOf, textOf } from '../reads.ts'
import { capital, datesIn, labelWords, manyOf, sentence } from '../wording.ts'
import { type Answering, comparedOf, comparedWords, type PartAnswer, rangeInput, scopeWords } from './answering.ts'
import { dateOf, dayOf } from '../../../../../storage/calendar/zones.ts'
import { m } from '../../messages.ts'

const looked = ['source', 'page', 'country', 'device'] as const
const sortable: readonly Shown[] = ['visitors', 'visits', 'pageviews', 'revenue']
/** Maximum number of values per dimension in the answer. */
const maxRows = 3

export async function why(answering: Answering): Promise<PartAnswer> {
  const { part, reads, ranged, asking } = answering
  const { say } = asking
  const { currency } = asking.site
  const metric = part.metrics[0] ?? 'visitors'
  if (!ranged.isCompared) throw new Unclear(m.nothing_before_period())
  const { data, meta } = await reads.ask('stats_aggregate', rangeInput(answering))
  const now = numberOf(fieldsOf(fieldsOf(data).metrics), metric)
  const before = numberOf(fieldsOf(comparedOf(data).metrics), metric)
  const compared = comparedWords(say, { metric, now, before, meta, currency })
  const went = now < before ? 'down' : 'up'
  const asked = part.direction ?? went
  const lines = [
    `**${capital(figure(say, { metric, value: now, currency }))}**, ${scopeWords(answering, data)}.${compared === undefined ? '' : ` ${sentence(compared)}`}`,
  ]
  if (part.direction && part.direction !== went)
    lines.push(
      part.direction === 'up'
        ? say(m.did_not_go_up, { figures: say(worded[metric].name) })
        : say(m.did_not_go_down, {
            figures: say(worded[metric].name),
          }),
    )
  const by = sortable.includes(metric) ? metric : 'visitors'
  const charts = []
  for (const dimension of looked) {
    if (part.filters.some(filter => filter.dimension === dimension && !filter.isNegative)) continue
    const { data: divided } = await reads.ask('stats_breakdown', {
      dimension,
      ...rangeInput(answering),
      sort: by,
      rank: asked === 'down' ? 'loss' : 'gain',
      limit: maxRows,
      metrics: [by],
    })
    const rows = rowsOf(fieldsOf(divided).rows)
    if (rows.length === 0) continue
    charts.push(tableOf(say, { rows, dimension, metrics: [by], isCompared: true }))
    const words = { things: capital(manyOf(say, dimension)), figures: say(worded[by].name) }
    const heading = asked === 'down' ? say(m.lost_most, words) : say(m.gained_most, words)
    const values = rows.map(row =>
      say(m.now_and_before, {
        value: labelWords(say, dimension, row),
        now: shownAs(say, { metric: by, value: Number(row[by] ?? 0), currency }),
        before: shownAs(say, { metric: by, value: Number(fieldsOf(row.comparison)[by] ?? 0), currency }),
      }),
    )
    lines.push(`- ${heading}: ${values.join('; ')}`)
  }
  const notes = await notesOf(answering)
  if (notes.length > 0) lines.push(`- ${say(m.notes_of_these_days, { notes: notes.join('; ') })}`)
  lines.push('', say(m.where_the_difference_lies))
  return { text: lines.join('\n'), chart: charts[0] ?? null }
}

async function notesOf({ reads, ranged: { days }, asking: { say } }: Answering): Promise<string[]> {
  if (days.period === 'all') return []
  const { data } = await reads.ask('notes_list', { from: dateOf(days.from), to: dateOf(days.to), per_page: 5 })
  return rowsOf(data).map(note => {
    const day = dayOf(textOf(note, 'at').slice(0, 10)) ?? 0
    return say(m.note_of_day, { day: datesIn(say, day, day), note: plain(textOf(note, 'text')) })
  })
}
