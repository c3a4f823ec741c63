/**
 * Parameters that a page received from the page before it but has no use for, such as the period. It ignores them, so that no link
 * of the service leads to a fault, and passes them on to the next report.
 */
import type { TSchema } from '@sinclair/typebox'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { carried, carriedIn, linkTo } from '../../runtime/ui/links.ts'
import { withQuery } from '../../runtime/ui/words.ts'
import { matchesOnce } from '../../runtime/values/matches.ts'
import { spotsOf } from './page-tree.ts'

/** Whether the page ignores a parameter of its address. */
export const isIgnored = (name: string, { input }: NamedOperation): boolean => carried.has(name) && !Object.hasOwn(input.properties, name)

/** Removes values from the address that other reports accept but this one does not, such as the interval of a longer period. */
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

/** Adds what the page was passed on to a link, if it leads to another page of the same site. @param url the page with the link */
export function linkWithinSite(href: string, { siteId, url }: { readonly siteId: string | null; readonly url: URL }): string {
  const { pathname, searchParams } = new URL(href, url)
  const isWithin = siteId !== null && pathname.startsWith(`/sites/${siteId}/`)
  return isWithin ? linkTo(pathname, url, Object.fromEntries(searchParams)) : href
}
