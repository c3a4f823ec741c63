/** Feeds in Atom (RFC 4287). */
import { xmlText } from './xml-text.ts'

export interface AtomEntry {
  /** A URI that stays the same. */
  readonly id: string
  readonly title: string
  /** Epoch ms. */
  readonly published?: number
  readonly updated: number
  /** Address of its page. */
  readonly url: string
  readonly content: string
  readonly contentType: 'text' | 'html'
}

export interface AtomFeed {
  /** A URI that stays the same. */
  readonly id: string
  readonly language: string
  readonly title: string
  /** Epoch ms. */
  readonly updated: number
  readonly author: string
  /** Address of its page. */
  readonly url: string
  /** Its own address; absent if the address has a key. */
  readonly self?: string
  readonly entries: readonly AtomEntry[]
}

export function atomFeed({ id, language, title, updated, author, url, self, entries }: AtomFeed): string {
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(language)}">`,
    element('id', id),
    element('title', title),
    element('updated', time(updated)),
    `<author>${element('name', author)}</author>`,
    link(url),
    ...(self === undefined ? [] : [`<link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>`]),
    ...entries.flatMap(entryLines),
    '</feed>\n',
  ]
  return lines.join('\n')
}

const entryLines = ({ id, title, published, updated, url, content, contentType }: AtomEntry): string[] => [
  '<entry>',
  element('id', id),
  element('title', title),
  ...(published === undefined ? [] : [element('published', time(published))]),
  element('updated', time(updated)),
  link(url),
  `<content type="${contentType}">${xmlText(content)}</content>`,
  '</entry>',
]

const time = (ms: number): string => new Date(ms).toISOString()
const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`
const link = (url: string): string => `<link rel="alternate" type="text/html" href="${xmlText(url)}"/>`
