/**
 * Rewrites the links of a page for a guest without an account. Views write the paths of operations. This module turns them
 * into addresses below the guest's base, which keep the parameters that open it, and removes links that lead elsewhere.
 *
 * User text is not rewritten: in HTML from `hono/jsx`, every quote inside a text or an attribute is `&quot;`.
 */
import type { GuestPage } from '../../runtime/table/page.ts'

/** Returns the guest's address of a member's page; undefined if the page is not shared. */
export function guestAddress({ site, base, beside, kept }: GuestPage['guest'], address: string): string | undefined {
  const url = new URL(address, 'http://own.invalid')
  const root = `/sites/${site.id}/`
  const other = beside.find(({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`))
  if (!other && !address.startsWith(root)) return undefined
  for (const [parameter, value] of Object.entries(kept)) url.searchParams.set(parameter, value)
  const rest = other ? other.as + url.pathname.slice(other.path.length) : url.pathname.slice(root.length)
  return `${base}/${rest}${url.search}${url.hash}`
}

export function withinGuest(html: string, guest: GuestPage['guest']): string {
  const { kept } = guest
  return html
    .replace(/ (href|action)="(\/[^"]*)"/g, (whole, name: string, address: string) => {
      if (/^\/(assets\/|favicon)/.test(address)) return whole
      const own = guestAddress(guest, unescaped(address))
      return own === undefined ? '' : ` ${name}="${escaped(own)}" rel="nofollow"`
    })
    .replace(/<form method="get"[^>]*>/g, form => form + hidden(kept))
}

/** Hidden fields with the kept parameters: a form replaces the whole query. */
const hidden = (kept: Readonly<Record<string, string>>): string =>
  Object.entries(kept)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}"/>`)
    .join('')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
