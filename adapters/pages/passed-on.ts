/**
 * Period and filters that a page was passed on and has no use for. It ignores them, so that no link of the service leads to a
 * fault, and passes them on to the next report.
 */
import type { TSchema } from '@sinclair/typebox'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { carried, carriedIn } from '../../runtime/ui/links.ts'
import { withQuery } from '../../runtime/ui/words.ts'
import { matchesOnce } from '../../runtime/values/matches.ts'
import { spotsOf } from './page-tree.ts'

/** Whether the page ignores a parameter of its address. */
export const isIgnored = (name: string, { input }: NamedOperation): boolean => carried.has(name) && !Object.hasOwn(input.properties, name)

/** The address without values that other reports have and this one has not, such as the interval of a longer period. */
export function withoutForeign(table: Table, { input }: NamedOperation, url: URL): URL {
  const schemaIn = (properties: Readonly<Record<string, TSchema>>, name: string) =>
    Object.hasOwn(properties, name) ? properties[name] : undefined
  const foreign = [...carriedIn(url.searchParams)].filter(([name, value]) => {
    const schema = schemaIn(input.properties, name)
    if (schema?.type !== 'string' || matchesOnce(schema, value)) return false
    return [...spotsOf(table).byId.values()].some(({ operation }) => {
      const other = schemaIn(operation.input.properties, name)
      return other !== undefined && matchesOnce(other, value)
    })
  })
  return foreign.length === 0 ? url : new URL(withQuery(url, Object.fromEntries(foreign.map(([name]) => [name, undefined]))), url)
}

/** The address of another page of the same site, with what the page was passed on. */
export function passedOn(href: string, { siteId, url }: { readonly siteId: string | null; readonly url: URL }): string {
  const to = new URL(href, url)
  if (siteId === null || !to.pathname.startsWith(`/sites/${siteId}/`)) return href
  const missing = [...carriedIn(url.searchParams)].filter(([name]) => !to.searchParams.has(name))
  return withQuery(to, Object.fromEntries(missing))
}
