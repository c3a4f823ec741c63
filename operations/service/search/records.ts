import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, record } from '../../../runtime/table/schema.ts'

/** Kinds of matches, best first. */
export const matches = ['exact', 'prefix', 'word', 'part'] as const
export type Match = (typeof matches)[number]

export const SearchResult = record(
  'SearchResult',
  {
    kind: Type.String({ description: 'Kind of result: `site`, `goal`, `alert`, `page`, `operation`, `documentation` …' }),
    id: Type.String({ description: 'Its id; for a page, event, property or source, its value.' }),
    name: Type.String({ description: 'Its name.' }),
    site_id: Nullable(Type.String(), { description: 'Site it belongs to; null if it belongs to none.' }),
    url: Type.String({ description: 'Its address, for programs and for browsers.' }),
    match: OneOf(matches, {
      description:
        '`exact`: its name equals the text; `prefix`: its name begins with it; `word`: a word of its name does; `part`: its name contains it.',
    }),
  },
  'One result of a search.',
)

export const SearchResults = record(
  'SearchResults',
  { rows: Type.Array(SearchResult, { description: 'Best first.' }) },
  'Results of a search.',
)

/** Compares a name with the searched text, both in lower case; null if they do not match. */
export function matchOf(name: string, wanted: string): Match | null {
  const at = name.indexOf(wanted)
  if (at < 0) return null
  if (name === wanted) return 'exact'
  if (at === 0) return 'prefix'
  return new RegExp(`(^|[^\\p{L}\\p{N}])${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u').test(name) ? 'word' : 'part'
}
