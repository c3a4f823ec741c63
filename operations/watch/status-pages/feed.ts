/** Incidents and maintenance of a page as an Atom feed: one entry for each, updated with every update. */
import type { Config } from '../../../runtime/settings/config.ts'
import { among } from '../../../runtime/table/schema.ts'
import { updatedAt } from './atlassian.ts'
import { type AtomEntry, atomFeed } from '../../../runtime/values/atom.ts'
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
  return atomFeed({
    id: `urn:footfall:${page.id}`,
    language: words.language,
    title: words.say(m.name_status, { name: page.name }),
    updated: updatedAt(shown),
    author: page.name,
    url: addressOf(page, { BASE_URL }),
    self: `${BASE_URL}/status/${page.slug}/feed.atom`,
    entries: all.map(each => entry(each, { url: BASE_URL + incidentPath(page, each.row.id), pageId: page.id }, { markdown, words })),
  })
}

interface FeedFormat {
  readonly markdown: RenderMarkdown
  readonly words: PageWords
}

function entry(
  { row, status, updates, checks }: ShownIncident,
  { url, pageId }: { url: string; pageId: string },
  { markdown, words }: FeedFormat,
): AtomEntry {
  const { say, time } = words
  const parts: string[] = []
  if (row.kind === 'maintenance' && row.ends_at !== null)
    parts.push(`<p>${xmlText(say(m.planned_from_to_to, { from: time(row.starts_at), to: time(row.ends_at) }))}</p>`)
  if (checks.length > 0) parts.push(`<p>${xmlText(say(m.affects_what, { what: checks.map(({ name }) => name).join(', ') }))}</p>`)
  for (const update of updates)
    parts.push(
      `<p><strong>${xmlText(say(statusWords[among(statuses, update.status)]))}</strong> – ${xmlText(time(update.created_at))}</p>${String(markdown(update.body))}`,
    )
  return {
    id: `urn:footfall:${pageId}:${row.id}`,
    title: `${say(statusWords[status])}: ${row.title}`,
    published: row.created_at,
    updated: row.updated_at,
    url,
    content: parts.join('\n'),
    contentType: 'html',
  }
}
