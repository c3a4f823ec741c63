/** The script for pages with Cloudflare's beacon: `<script defer src="https://HOST/beacon.min.js" data-cf-beacon='{"token": "…"}'>`. */
import { open, tagWith } from './foreign.ts'
import { attempt } from './listen.ts'
import type { EventOptions } from './protocol.ts'
import { readSettings, type Settings } from './settings.ts'

attempt(() => {
  const tag = tagWith('data-cf-beacon')
  if (!tag || window.footfall) return
  let spa: unknown = true
  attempt(() => ({ spa = true } = JSON.parse(tag.getAttribute('data-cf-beacon') || '{}')))
  const settings: Settings = Object.assign(readSettings(tag), { outbound: false, downloads: [] })
  const withPage = open('footfall', settings, { follows: spa !== false, links: false })
  window.footfall = ((name: string, options: EventOptions) => withPage(page => page.event(name, options))) as never
  const vitals = document.createElement('script')
  vitals.nonce = tag.nonce
  vitals.src = new URL('js/footfall.vitals.js', tag.src).href
  document.head.appendChild(vitals)
})
