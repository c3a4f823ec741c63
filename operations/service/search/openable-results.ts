/** Results of a search that a page can link to. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { filled } from '../../../runtime/ui/words.ts'
import type { SearchResult } from './records.ts'
import { declaredText } from '../../../runtime/texts/catalogues.ts'

export interface OpenableResult {
  readonly kind: string
  readonly name: string
  readonly href: string
}

/** Fills in the workspace and the site of the page. Paths with other parameters, which name no one record, are left out. */
export function openableResults(rows: readonly Static<typeof SearchResult>[], page: ViewedPage): OpenableResult[] {
  const { url, baseUrl, siteId, viewer } = page
  const [, workspace_id = ''] = /^\/workspaces\/([^/]+)/.exec(url.pathname) ?? []
  const known: Readonly<Record<string, string>> = { workspace_id, ...(siteId !== undefined && { site_id: siteId }) }
  return rows.flatMap(({ kind, name, url: address }) => {
    const path = address.startsWith(baseUrl) ? address.slice(baseUrl.length) : address
    const isOpenable = path.startsWith('/') && [...path.matchAll(/\{(\w*)/g)].every(([, parameter = '']) => Object.hasOwn(known, parameter))
    if (!isOpenable) return []
    // Operations are named in the language of the viewer, everything else by people.
    return [{ kind, name: kind === 'operation' ? declaredText(viewer, name) : name, href: filled(path, known) }]
  })
}
