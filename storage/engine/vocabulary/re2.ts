/** RE2, for patterns that users write. Its 300 kB are loaded with the first pattern (docs/architecture.md §8). */
import { createRequire } from 'node:module'

type Re2 = typeof import('re2js')['RE2JS']

/** Sources are modules, which have no `require` of their own. */
const load = (): { readonly RE2JS: Re2 } => (import.meta.built ? require('re2js') : createRequire(import.meta.url)('re2js'))

/** Without an await, since filters are compiled in the middle of a pass over columns. */
export const re2 = (): Re2 => load().RE2JS
