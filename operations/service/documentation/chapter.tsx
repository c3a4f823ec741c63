/** A page of the manual as HTML, drawn once: it is the same for every reader. */
import type { Content } from '../../../runtime/table/page.ts'
import { openMarkdown } from '../../../runtime/ui/markdown.tsx'
import type { Document } from './documents.ts'

const drawn = new WeakMap<Document, Promise<Content>>()

export function chapterOf(document: Document, all: readonly Document[]): Promise<Content> {
  const known = drawn.get(document) ?? draw(document, new Map(all.map(({ slug, title }) => [slug, title])))
  drawn.set(document, known)
  return known
}

async function draw({ markdown }: Document, titles: ReadonlyMap<string, string>): Promise<Content> {
  const render = await openMarkdown({ document: { hrefOf: link => hrefOf(link, titles) } })
  // Links that are called by their file are called by their title here.
  return render(
    markdown.replace(/\[(?:docs\/)?([\w-]+)\.md\]\(/g, (link, slug: string) => (titles.has(slug) ? `[${titles.get(slug)}](` : link)),
  )
}

/** `alerts.md#kinds` and `#kinds` lead within the manual. A file of the repository that is not a page of it has no address here. */
function hrefOf(link: string, titles: ReadonlyMap<string, string>): string | undefined {
  if (link.startsWith('#')) return link
  const [, slug = '', fragment = ''] = /^(?:\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(link) ?? []
  return titles.has(slug) ? `/documentation/${slug}${fragment}` : undefined
}
