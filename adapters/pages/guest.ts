/**
 * Links of a page for somebody without an account. Views write the paths of operations; here, once for all of them, these
 * become addresses below the guest's base, which keep what opens it, and links that lead elsewhere lead nowhere.
 *
 * The text of others has no part in it: in HTML that `hono/jsx` made, a quote that is no attribute's end is `&quot;`.
 */
import type { GuestPage } from '../../runtime/page.ts'

export function withinGuest(html: string, { site, base, kept }: GuestPage['guest']): string {
  const root = `/sites/${site.id}/`
  return html
    .replace(/ (href|action)="(\/[^"]*)"/g, (whole, name: string, address: string) => {
      if (/^\/(assets\/|favicon)/.test(address)) return whole
      if (!address.startsWith(root)) return ''
      const url = new URL(unescaped(address), 'http://own.invalid')
      for (const [parameter, value] of Object.entries(kept)) url.searchParams.set(parameter, value)
      const own = `${base}/${url.pathname.slice(root.length)}${url.search}${url.hash}`
      return ` ${name}="${escaped(own)}"${kept.key === undefined ? '' : ' rel="nofollow"'}`
    })
    .replace(/<form method="get"[^>]*>/g, form => form + hidden(kept))
}

/** A form replaces the whole query: what every link keeps goes along in it. */
const hidden = (kept: Readonly<Record<string, string>>): string =>
  Object.entries(kept)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}"/>`)
    .join('')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
