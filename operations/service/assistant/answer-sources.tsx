/** The reports that the figures of an answer are from, each once, with its period. */
import { day, type Viewer } from '../../../runtime/ui/format.ts'
import { periodWords } from '../../../runtime/ui/periods.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import type { QueryRecord } from './records.ts'
import { m } from './messages.ts'
import { declaredText } from '../../../runtime/texts/catalogues.ts'
import { say } from '../../../runtime/texts/say.ts'

export function AnswerSources({ queries, page }: { queries: readonly QueryRecord[]; page: ViewedPage }) {
  const { viewer } = page
  const labels = new Map<string, string>()
  for (const { tool, input, status } of queries) {
    const report = status === 'ok' ? page.reportAt(tool, input) : undefined
    if (report && !labels.has(report.href))
      labels.set(report.href, [declaredText(viewer, report.label), periodIn(input, viewer)].filter(Boolean).join(', '))
  }
  if (labels.size === 0) return null
  return (
    <p class="help from">
      {say(viewer, m.ask_from)}{' '}
      {[...labels].map(([href, label], i) => (
        <>
          {i > 0 && ' · '}
          <a href={href}>{label}</a>
        </>
      ))}
    </p>
  )
}

function periodIn({ period, from, to }: Readonly<Record<string, unknown>>, viewer: Viewer): string {
  if (typeof period !== 'string') return ''
  if (period !== 'custom') return periodWords(period, viewer)
  const days = from === to ? [from] : [from, to]
  return days.map(each => day(String(each), viewer)).join(' – ')
}
