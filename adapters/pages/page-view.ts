/** Draws what a page shows with the view of its operation. */
import type { Shown, View } from '../../runtime/ui/view.ts'
import { type Around, viewedPage } from './viewed-page.ts'

type Fields = Readonly<Record<string, unknown>>

/** @param data the record, or the rows of a list; undefined before anything is chosen */
export async function showWith(
  { kind, draw }: View,
  around: Around,
  data: Fields | readonly Fields[] | undefined,
): Promise<Shown | undefined> {
  const page = viewedPage(around)
  const given = { [kind === 'listView' ? 'rows' : 'data']: data, meta: page.meta, page }
  const drawn = await draw(given as never) // the answer was checked for its schema
  return drawn === undefined || 'content' in drawn ? drawn : { content: drawn }
}
