/**
 * Tabs that the person at this browser chose last. A cookie keeps them, so that a page without them in its address shows the
 * same tabs again. An address with a tab shows that one to everyone.
 */
import type { App } from '../../runtime/app.ts'
import { cookieFor, cookieOf } from '../../runtime/call/credentials.ts'
import type { View } from '../../runtime/ui/view.ts'
import { headerOf } from '../http/web.ts'
import type { PageAsk } from './call-operation.ts'

const cookie = 'tabs'
const keptSeconds = 365 * 86_400
const maxValueLength = 400
const maxTabs = 20

export interface KeptTabs {
  /** The address with the tabs that it does not name. */
  added(url: URL): URL
  /** The line of `Set-Cookie` that keeps the tabs of an address; none if they are known. */
  noted(url: URL): readonly string[]
}

/** @param view the view of the page; undefined if it has none */
export function keptTabs(app: App, c: PageAsk, view: View | undefined): KeptTabs {
  const names = view?.options.remembers ?? []
  if (names.length === 0) return { added: url => url, noted: () => [] }
  const given = cookieOf({ header: name => headerOf(c, name) }, cookie, app.config.BASE_URL) ?? ''
  const kept = new URLSearchParams(given.slice(0, 4_000))
  return {
    added(url) {
      const missing = names.filter(name => !url.searchParams.has(name) && isShort(kept.get(name)))
      if (missing.length === 0) return url
      const next = new URL(url)
      for (const name of missing) next.searchParams.set(name, kept.get(name) ?? '')
      return next
    },
    noted({ searchParams }) {
      const chosen = names.filter(name => isShort(searchParams.get(name)) && searchParams.get(name) !== kept.get(name))
      if (chosen.length === 0) return []
      const next = new URLSearchParams(
        [
          ...chosen.map(name => [name, searchParams.get(name) ?? ''] as [string, string]),
          ...[...kept].filter(([name]) => !chosen.includes(name)),
        ].slice(0, maxTabs),
      )
      return [cookieFor({ name: cookie, value: next.toString(), seconds: keptSeconds, baseUrl: app.config.BASE_URL })]
    },
  }
}

const isShort = (value: string | null): boolean => value !== null && value !== '' && value.length <= maxValueLength
