/** Incidents and maintenance of a page as an Atom feed (RFC 4287): one entry for each, updated with every update. */
import type { Config } from '../../../runtime/settings/config.ts'
import { among, iso } from '../../../runtime/table/schema.ts'
import { updatedAt } from './atlassian.ts'
import { xmlText } from '../../../runtime/values/xml-text.ts'
import { openMarkdown, type RenderMarkdown } from '../../../runtime/ui/markdown.tsx'
import { addressOf, incidentPath } from './records.ts'
import type { Shown, ShownIncident } from './status.ts'
import { statuses } from './timeline.ts'
import { type PageWords, statusWords, wordsFor } from './page-words.ts'
import { m } from './messages.ts'

const MAX_ENTRIES = 50

export async function feedOf(shown: Shown, { BASE_URL }: Pick<Config, 'BASE_URL'>): Promise<string> {
  const { page, incidents, maintenance, past } = shown
  const all = [...incidents, ...maintenance, ...past].sort((a, b) => b.row.updated_at - a.row.updated_at).slice(0, MAX_ENTRIES)
  const [markdown, words] = [await openMarkdown(), await wordsFor(page)]
  const entries = all.map(each => entry(each, { url: BASE_URL + incidentPath(page, each.row.id), pageId: page.id }, { markdown, words }))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.language}">
<id>urn:footfall:${page.id}</id>
<title>${xmlText(words.say(m.name_status, { name: page.name }))}</title>
<updated>${iso(updatedAt(shown))}</updated>
<author><name>${xmlText(page.name)}</name></author>
<link rel="alternate" type="text/html" href="${xmlText(addressOf(page, { BASE_URL }))}"/>
<link rel="self" type="application/atom+xml" href="${xmlText(`${BASE_URL}/status/${page.slug}/feed.atom`)}"/>
${entries.join('\n')}
</feed>
`
}

interface FeedFormat {
  readonly markdown: RenderMarkdown
  readonly words: PageWords
}

function entry(
  { row, status, updates, checks }: ShownIncident,
  { url, pageId }: { url: string; pageId: string },
  { markdown, words }: FeedFormat,
): string {
  const { say, time } = words
  const parts: string[] = []
  if (row.kind === 'maintenance' && row.ends_at !== null)
    parts.push(`<p>${xmlText(say(m.planned_from_to_to, { from: time(row.starts_at), to: time(row.ends_at) }))}</p>`)
  if (checks.length > 0) parts.push(`<p>${xmlText(say(m.affects_what, { what: checks.map(({ name }) => name).join(', ') }))}</p>`)
  for (const update of updates)
    parts.push(
      `<p><strong>${xmlText(say(statusWords[among(statuses, update.status)]))}</strong> – ${xmlText(time(update.created_at))}</p>${String(markdown(update.body))}`,
    )
  return `<entry>
<id>urn:footfall:${pageId}:${row.id}</id>
<title>${xmlText(`${say(statusWords[status])}: ${row.title}`)}</title>
<published>${iso(row.created_at)}</published>
<updated>${iso(row.updated_at)}</updated>
<link rel="alternate" type="text/html" href="${xmlText(url)}"/>
<content type="html">${xmlText(parts.join('\n'))}</content>
</entry>`
}
