import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, record } from '../../../runtime/table/schema.ts'

/** From the best. */
export const matches = ['exact', 'prefix', 'word', 'part'] as const
export type Match = (typeof matches)[number]

export const SearchResult = record(
  'SearchResult',
  {
    kind: Type.String({ description: 'What it is: `site`, `goal`, `alert`, `page`, `operation`, `documentation` …' }),
    id: Type.String({ description: 'Its id; of pages, events, properties and sources their value.' }),
    name: Type.String({ description: 'What it is called.' }),
    site_id: Nullable(Type.String(), { description: 'Site it belongs to; null for what belongs to none.' }),
    url: Type.String({ description: 'Where it is, for programs and for browsers.' }),
    match: OneOf(matches, {
      description: '`exact`: this is its name; `prefix`: its name begins so; `word`: a word of it does; `part`: its name contains it.',
    }),
  },
  'Something that was found.',
)

export const SearchResults = record('SearchResults', { rows: Type.Array(SearchResult, { description: 'Best first.' }) }, 'What was found.')

/** How a name matches what is looked for, both in small letters; null where it does not. */
export function matchOf(name: string, wanted: string): Match | null {
  const at = name.indexOf(wanted)
  if (at < 0) return null
  if (name === wanted) return 'exact'
  if (at === 0) return 'prefix'
  return new RegExp(`(^|[^\\p{L}\\p{N}])${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u').test(name) ? 'word' : 'part'
}
