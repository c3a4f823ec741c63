import { Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Nullable, record, Sentence } from '../../../runtime/table/schema.ts'
import { type Document, documents } from './documents.ts'
import { findSections } from './find.ts'
import { m } from './messages.ts'

const fields = {
  slug: Type.String({ description: 'Name of the page in addresses.' }),
  title: Type.String({ description: 'Heading of the page.' }),
  summary: Type.String({ description: 'Summary of the page.' }),
  url: Type.String({ description: 'Address of the page on this installation.' }),
}
const DocumentSummary = record('DocumentSummary', fields, 'A page of the manual.')
const DocumentPage = record(
  'Document',
  { ...fields, markdown: Type.String({ description: 'The page as Markdown.' }) },
  'A complete page of the manual.',
)
const FoundInDocument = record(
  'FoundInDocument',
  {
    slug: fields.slug,
    title: fields.title,
    heading: Type.String({ description: 'Heading of the section; empty for the text before the first heading.' }),
    excerpt: Type.String({ description: 'Excerpt of the section around the found words.' }),
    url: fields.url,
  },
  'A section of the manual.',
)

const urlOf = ({ BASE_URL }: Pick<Config, 'BASE_URL'>, { slug }: Document) => `${BASE_URL}/documentation/${slug}`
const toSummary = (config: Pick<Config, 'BASE_URL'>, document: Document) => {
  const { slug, title, summary } = document
  return { slug, title, summary, url: urlOf(config, document) }
}

export const documentation_list = list({
  route: 'GET /documentation',
  summary: 'List the pages of the manual',
  access: 'public',
  effect: 'read',
  input: {},
  of: DocumentSummary,
  examples: [{ input: {} }],
  async run({ use, config, page: { offset, limit } }) {
    const all = await use(documents)
    return { rows: all.slice(offset, offset + limit).map(each => toSummary(config, each)), total: all.length }
  },
})

export const documentation_search = operation({
  route: 'GET /documentation/search',
  summary: 'Search the manual',
  access: 'public',
  effect: 'read',
  input: {
    q: Type.String({ minLength: 1, maxLength: 200, description: 'Words to look for.' }),
    limit: Type.Integer({ unit: 'count', default: 10, minimum: 1, maximum: 50, description: 'Maximum number of sections.' }),
  },
  output: record(
    'DocumentationFound',
    {
      rows: Type.Array(FoundInDocument, { description: 'Best first; empty if no section has most of the words.' }),
      note: Nullable(Sentence(), {
        description: 'Says that the manual has nothing about this, and where it says what Footfall does not do; null with rows.',
      }),
    },
    'Sections of the manual.',
  ),
  examples: [{ input: { q: 'bounce rate' } }],
  async run({ use, config, input }) {
    const found = findSections(await use(documents), input.q, input.limit)
    return {
      note: found.length > 0 ? null : m.nothing_about_it({ limits: `${config.BASE_URL}/documentation/limits` }),
      rows: found.map(({ document, heading, excerpt }) => {
        const { slug, title, url } = toSummary(config, document)
        return { slug, title, heading, excerpt, url }
      }),
    }
  },
})

export const documentation_get = operation({
  route: 'GET /documentation/{slug}',
  summary: 'Get a page of the manual',
  access: 'public',
  path: { slug: Type.String({ maxLength: 100, description: 'Name of the page, as `documentation_list` returns it.' }) },
  effect: 'read',
  input: {},
  output: DocumentPage,
  examples: [{ input: { slug: 'analytics' } }],
  async run({ use, config, input }) {
    const found = (await use(documents)).find(({ slug }) => slug === input.slug)
    if (!found) fail('not_found')
    return { ...toSummary(config, found), markdown: found.markdown }
  },
})
