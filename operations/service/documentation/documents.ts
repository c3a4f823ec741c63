/** The manual: the pages of `docs/`, as in the running package. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { resource } from '../../../runtime/settings/resource.ts'

export interface Document {
  /** Name of its file without `.md`; in the address. */
  readonly slug: string
  readonly title: string
  /** Its first paragraph, on one line. */
  readonly summary: string
  readonly markdown: string
  readonly sections: readonly Section[]
}

export interface Section {
  /** '' before the first heading. */
  readonly heading: string
  readonly text: string
}

export const documents = resource<Promise<readonly Document[]>>({ name: 'documents', open: readDocuments, close: async () => {} })

async function readDocuments(): Promise<readonly Document[]> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('#docs/api.md'))
  const names = (await readdir(folder)).filter(name => name.endsWith('.md')).sort()
  return Promise.all(names.map(async name => documentOf(name.slice(0, -'.md'.length), await readFile(path.join(folder, name), 'utf8'))))
}

/** Removes comments, which are for authors. */
function documentOf(slug: string, text: string): Document {
  const markdown = text.replace(/<!--[^]*?-->\n?/g, '')
  const [start = '', ...parts] = markdown.split(/^##+ /m)
  const title = /^# (.+)$/m.exec(start)?.[1] ?? slug
  const body = start.replace(/^# .+$/m, '').trim()
  const sections = parts.map(part => {
    const end = part.indexOf('\n')
    return { heading: end < 0 ? part : part.slice(0, end), text: end < 0 ? '' : part.slice(end).trim() }
  })
  return {
    slug,
    title,
    summary: plain(firstOf([body, ...sections.map(({ text }) => text)])),
    markdown,
    sections: [{ heading: '', text: body }, ...sections],
  }
}

/** The first paragraph that there is. */
const firstOf = (texts: readonly string[]): string => texts.find(text => text !== '')?.split('\n\n')[0] ?? ''

/** Chapters by who reads them, in their order. A page that is in none is in the last. */
const parts = {
  using: [
    'pages',
    'analytics',
    'glossary',
    'collecting',
    'alerts',
    'uptime',
    'status-pages',
    'email-reports',
    'sharing',
    'assistant',
    'crawlers',
    'import',
    'export',
    'sign-in',
    'plans',
    'billing',
    'affiliate',
    'limits',
  ],
  running: ['install', 'configuration', 'operations', 'security', 'single-sign-on', 'provisioning', 'clickhouse', 'warehouse'],
  building: ['api', 'mcp', 'cli', 'oauth', 'webhooks'],
} as const
export type Part = keyof typeof parts

/** Pages in chapters, each in the order in which one reads them. */
export function chaptersOf(all: readonly Document[]): readonly { readonly part: Part; readonly documents: readonly Document[] }[] {
  const placed = new Set<string>(Object.values(parts).flat())
  const bySlug = new Map(all.map(document => [document.slug, document]))
  const others = all.filter(({ slug }) => !placed.has(slug))
  return Object.entries(parts).map(([part, slugs]) => ({
    part: part as Part, // its keys
    documents: [...slugs.flatMap(slug => bySlug.get(slug) ?? []), ...(part === 'building' ? others : [])],
  }))
}

/** Text without its marks, on one line. */
export const plain = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\|[-:| ]+\|$/gm, '')
    .replace(/[`*|#]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
