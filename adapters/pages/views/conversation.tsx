/** A conversation, the latest question first: its answer, a chart, and the reports that the figures are from. */
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { day, inUnit, plainNumber, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { inLanguage, isKey, say } from '../../../runtime/ui/languages/index.ts'
import { AskForm } from './ask-form.tsx'
import { BarTable } from '../../../runtime/ui/bar-table.tsx'
import { openMarkdown, type RenderMarkdown } from '../../../runtime/ui/markdown.tsx'
import { intervalIn, list, number, record, type Row, text } from './read.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { Seen, View } from './view.ts'

export const conversation: View = {
  async show(seen) {
    const { data, does, url, viewer } = seen
    const messages = list(data.messages)
    const goOn = does.find(({ effect, method }) => effect === 'update' && method === 'POST')
    const exchanges = messages.flatMap((message, i) => (message.role === 'user' ? [{ question: message, answer: messages[i + 1] }] : []))
    const markdown = await openMarkdown({ hasLinks: false })
    const withoutList = await openMarkdown({ hasLinks: false, hasNumberedLists: false })
    return {
      brings: goOn ? [goOn] : [],
      content: (
        <>
          {goOn && <AskForm action={url.pathname} isNew={false} viewer={viewer} />}
          {exchanges.toReversed().map(({ question, answer }) => (
            <article class="exchange">
              <h2>{text(question.content)}</h2>
              {answer && <Answer message={answer} seen={seen} markdown={isSaidTwice(answer) ? withoutList : markdown} />}
            </article>
          ))}
        </>
      ),
    }
  },
}

/** Rules without a model write their list out; here it is the table. */
const isSaidTwice = (message: Row): boolean => record(message.chart).type === 'table' && message.input_tokens === null

function Answer({ message, seen, markdown }: { message: Row; seen: Seen; markdown: RenderMarkdown }) {
  const { viewer, formFor } = seen
  const chart = record(message.chart)
  const draft = record(message.goal_draft)
  const isDraft = typeof draft.kind === 'string'
  const values = Object.fromEntries(Object.entries(draft).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  const make = isDraft ? formFor('Goal', values) : undefined
  return (
    <div class="card">
      {markdown(text(message.content))}
      {chart.type === 'line' && <Line chart={chart} viewer={viewer} />}
      {chart.type === 'table' && <Table chart={chart} viewer={viewer} />}
      {make !== undefined && (
        <p>
          <a class="button" href={make}>
            {say(viewer, 'ask_make_goal')}
          </a>
        </p>
      )}
      <Queries message={message} seen={seen} />
    </div>
  )
}

function Line({ chart, viewer }: { chart: Row; viewer: Viewer }) {
  const labels = Array.isArray(chart.labels) ? chart.labels.map(String) : []
  const numbers = (value: unknown): (number | null)[] =>
    Array.isArray(value) ? value.map(each => (typeof each === 'number' ? each : null)) : []
  const [values, before] = [numbers(chart.series), numbers(chart.comparison)]
  const show = (value: number, isShort = false) => shown(value, text(chart.format), viewer, isShort)
  const interval = intervalOf(labels)
  return (
    <LineChart
      reader={viewer}
      title={fieldWords(text(chart.metric), viewer)}
      points={labels.map((at, i) => ({
        label: pointLabel(at, intervalIn(interval), viewer),
        value: values[i] ?? null,
        before: before[i] ?? null,
      }))}
      isCompared={before.length > 0}
      format={value => show(value)}
      short={value => show(value, true)}
    />
  )
}

/** By the distance of the first points. */
function intervalOf([first = '', second = '']: readonly string[]): string {
  const hours = (Date.parse(second) - Date.parse(first)) / 3_600_000
  return hours < 0.9 ? 'minute' : hours < 20 ? 'hour' : hours < 24 * 20 ? 'day' : hours < 24 * 300 ? 'month' : 'year'
}

function Table({ chart, viewer }: { chart: Row; viewer: Viewer }) {
  const [first, ...others] = list(chart.columns)
  const rows: readonly (readonly unknown[])[] = Array.isArray(chart.rows) ? chart.rows.filter(row => Array.isArray(row)) : []
  return (
    <div class="panel">
      <BarTable
        label={text(first?.name)}
        columns={others.map(({ name }) => capital(text(name)))}
        rows={rows.map(([label, ...cells]) => ({
          label: text(label),
          weight: number(cells[0]),
          cells: cells.map((value, i) => (typeof value === 'number' ? shown(value, text(others[i]?.format), viewer) : '–')),
        }))}
        viewer={viewer}
      />
    </div>
  )
}

const shown = (value: number, format: string, viewer: Viewer, isShort = false): string =>
  format === 'percent' || format === 'ms' || format === 'minor_units' ? inUnit(value, format, viewer, isShort) : plainNumber(value, viewer)

/** The reports that the figures are from, each once, with its period. */
function Queries({ message, seen }: { message: Row; seen: Seen }) {
  const { viewer, reportAt } = seen
  const found = new Map<string, string>()
  for (const { tool, input, status } of list(message.queries)) {
    const asked = record(input)
    const report = status === 'ok' ? reportAt(text(tool), asked) : undefined
    if (report && !found.has(report.href))
      found.set(report.href, [inLanguage(viewer, report.label), periodIn(asked, viewer)].filter(Boolean).join(', '))
  }
  if (found.size === 0) return null
  return (
    <p class="help from">
      {say(viewer, 'ask_from')}{' '}
      {[...found].map(([href, label], i) => (
        <>
          {i > 0 && ' · '}
          <a href={href}>{label}</a>
        </>
      ))}
    </p>
  )
}

function periodIn({ period, from, to }: Row, viewer: Viewer): string {
  if (period === 'custom') return from === to ? day(text(from), viewer) : `${day(text(from), viewer)} – ${day(text(to), viewer)}`
  const key = `period_${text(period)}`
  return isKey(key) ? say(viewer, key) : ''
}
