/**
 * Makes a report fit into a mail. Gmail cuts a mail above 102 KB and hides its end. A report of many sites and panels shows
 * less of each until it fits: fewer rows, no charts, no lists, and in the end one line for each site.
 */
import type { Content } from '../content.ts'
import type { MailFrame } from './html.tsx'

const MAX_BYTES = 98_000

interface Detail {
  readonly rows: number
  readonly hasCharts: boolean
  readonly isSummary?: true
}

const details: readonly Detail[] = [
  { rows: 8, hasCharts: true },
  { rows: 5, hasCharts: true },
  { rows: 3, hasCharts: true },
  { rows: 3, hasCharts: false },
  { rows: 1, hasCharts: false },
  { rows: 0, hasCharts: false },
  { rows: 0, hasCharts: false, isSummary: true },
]

const reduced = (content: Content, { rows, hasCharts, isSummary }: Detail): Content => ({
  ...content,
  isSummary: isSummary === true,
  sections: content.sections.map(section => ({
    ...section,
    chart: hasCharts ? section.chart : null,
    lists: rows === 0 ? [] : section.lists.map(list => ({ ...list, rows: list.rows.slice(0, rows) })),
  })),
})

/** Returns as much of the report as fits, and its HTML. */
export async function fitIntoMail(content: Content, around: MailFrame): Promise<{ content: Content; html: string }> {
  const { htmlOf } = await import('./html.tsx') // only the process that mails needs it
  let made = { content, html: '' }
  for (const detail of details) {
    const less = reduced(content, detail)
    made = { content: less, html: await htmlOf(less, around) }
    if (Buffer.byteLength(made.html) <= MAX_BYTES) break
  }
  return made
}
