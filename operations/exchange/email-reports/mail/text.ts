/** A report as the text part of a mail: with the same content as the HTML. */
import type { Content, Figure, Section } from '../content.ts'
import { linkFree } from '../../../people/mail/index.ts'
import type { MailFrame } from './html.tsx'
import { m } from '../messages.ts'

export function textOf(content: Content, { footer, unsubscribe }: Omit<MailFrame, 'logo' | 'subject'>): string {
  const { say, name, dates, compared, segment, sections } = content
  const head = [linkFree(name), dates, compared, ...(segment === null ? [] : [linkFree(segment)])]
  const foot = [...footer.map(linkFree), ...(unsubscribe === null ? [] : [say(m.unsubscribe_url, { url: unsubscribe })])]
  return `${[head.join('\n'), ...sections.map(section => sectionText(section, content)), `-- \n${foot.join('\n')}`].join('\n\n\n')}\n`
}

function sectionText({ site, href, figures, chart, lists, notes, isEmpty }: Section, { say, isSummary }: Content): string {
  const title = linkFree(site)
  if (isSummary) return `${title}\n${[figures[0], figures[2]].map(figure => figure && figureText(figure, say)).join('\n')}`
  const blocks = [
    `${title}\n${'='.repeat(Math.min(60, title.length))}`,
    ...(isEmpty ? [say(m.nobody_visited)] : []),
    figures.map(figure => figureText(figure, say)).join('\n'),
    ...(chart ? [`${chart.heading}: ${chart.first} – ${chart.last}, ${chart.peak}`] : []),
    ...(isEmpty ? [] : lists.map(({ heading, of, rows }) => listText(`${heading} (${of})`, rows, say(m.there_is_nothing_to_show)))),
    ...notes,
    `${say(m.open_the_report)}: ${href}`,
  ]
  return blocks.join('\n\n')
}

const figureText = ({ label, value, change, before }: Figure, say: Content['say']): string =>
  `${label}: ${value}${change === null ? '' : ` (${change}, ${say(m.before_value, { value: before })})`}`

function listText(heading: string, rows: readonly { readonly label: string; readonly value: string }[], nothing: string): string {
  const lines = rows.map(({ label, value }) => `  ${value.padStart(8)}  ${linkFree(label)}`)
  return [heading, ...(lines.length === 0 ? [`  ${nothing}`] : lines)].join('\n')
}
