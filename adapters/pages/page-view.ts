/** The view that a page is shown with. */
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import type { Drawn, Shown, View, ViewOptions } from '../../runtime/ui/view.ts'
import type { ViewedPage } from '../../runtime/ui/viewed-page.ts'
import { schemaOf, viewOf } from './area-views.ts'
import { viewKey } from './page-tree.ts'
import { type Around, viewedPage } from './viewed-page.ts'
import { views as older } from './views/index.ts'
import type { Seen, View as OlderView } from './views/view.ts'

type Fields = Readonly<Record<string, unknown>>

export interface PageView extends Omit<ViewOptions, 'parts'> {
  /** Whether the view contains the content of another page. */
  contains(page: NamedOperation): boolean
  /** @param seen for views that have not moved into their area yet */
  show(data: Fields | readonly Fields[] | undefined, page: ViewedPage, seen: Seen): Promise<Shown | undefined>
}

const made = new WeakMap<View | OlderView, PageView>()

/** The view of what an operation answers; undefined if its schema shows it. */
export function pageView(table: Table, operation: NamedOperation): PageView | undefined {
  const key = viewKey(operation)
  const declared = viewOf(table, operation) ?? (Object.hasOwn(older, key) ? older[key] : undefined)
  if (!declared) return undefined
  const view = made.get(declared) ?? ('draw' in declared ? ofArea(declared) : ofKey(declared))
  made.set(declared, view)
  return view
}

/** @param data the record, or the rows of a list */
export const showWith = (view: PageView, around: Around, data: Fields | readonly Fields[] | undefined): Promise<Shown | undefined> =>
  view.show(data, viewedPage(around), around.seen)

function ofArea({ kind, draw, options: { parts, ...options } }: View): PageView {
  return {
    ...options,
    contains: page => parts?.includes(schemaOf(page)) === true,
    async show(data, page) {
      const given = { [kind === 'listView' ? 'rows' : 'data']: data, meta: page.meta, page }
      return shownIn(await draw(given as never)) // the answer was checked for its schema
    },
  }
}

const shownIn = (drawn: Drawn): Shown | undefined => (drawn === undefined || 'content' in drawn ? drawn : { content: drawn })

function ofKey({ parts, show, ...options }: OlderView): PageView {
  return {
    ...options,
    contains: page => parts?.includes(viewKey(page)) === true,
    show: (_data, _page, seen) => show(seen),
  }
}
