/** Where a page shows an answer of a report, for views that say what their figures are from. */
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import type { RowLink } from '../../runtime/ui/list.tsx'
import { filled, words } from '../../runtime/ui/words.ts'
import { hasView } from './area-views.ts'
import { containerOf, itemsBelow } from './frame.ts'
import { spotsOf, titleOf } from './page-tree.ts'

type Fields = Readonly<Record<string, unknown>>

/** Inputs that make an answer shorter, which the page need not be. */
const shortening: ReadonlySet<string> = new Set(['metrics', 'limit', 'per_page', 'page'])

interface Asked {
  /** Id of the operation. */
  readonly id: string
  readonly input: Fields
  /** Parameters of the path of this page, which the input may lack. */
  readonly path: Readonly<Record<string, string>>
}

/** @returns undefined if the report has no page, or the caller may not see it */
export function reportLink(app: App, caller: Caller, { id, input, path }: Asked): RowLink | undefined {
  const spot = spotsOf(app.table).byId.get(id)
  if (!spot || !app.allows(caller, spot.operation)) return undefined
  const { operation } = spot
  // A report without a view is read best on the first page of its site, with everything else about the same days.
  const home = containerOf(app, operation.on[0]?.name ?? '')
  const [first] = home && operation.answers.kind === 'report' && !hasView(app.table, operation) ? itemsBelow(app, home, caller) : []
  const shown = first ?? operation
  const of = { ...path, ...Object.fromEntries(Object.entries(input).map(([name, value]) => [name, textOf(value)])) }
  const { properties } = shown.input
  const query = Object.entries(input).filter(
    ([name, value]) => Object.hasOwn(properties, name) && value !== undefined && !shortening.has(name),
  )
  const search = new URLSearchParams(query.map(([name, value]) => [name, textOf(value)])).toString()
  const label = typeof input.dimension === 'string' ? words(input.dimension.replace(/^property:/, '')) : titleOf(shown)
  return { href: `${filled(shown.path, of)}${search === '' ? '' : `?${search}`}`, label }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
