/** The tracker: `<script defer data-domain="example.com" src="https://HOST/js/footfall.js"></script>` */
import { watchInteractions } from './interactions.ts'
import { attempt, whenVisible } from './listen.ts'
import { followNavigation } from './navigation.ts'
import { createPage } from './page.ts'
import type { Call, Footfall } from './protocol.ts'
import { createSender } from './send.ts'
import { readSettings } from './settings.ts'

/** A script of type module has no `currentScript`. */
const ownTag = () => {
  const { currentScript } = document
  return currentScript instanceof HTMLScriptElement ? currentScript : document.querySelector<HTMLScriptElement>('script[data-domain]')
}

const loadVitals = (src: string, nonce: string | undefined) => {
  const tag = document.createElement('script')
  if (nonce) tag.nonce = nonce // lets the page's Content-Security-Policy allow it
  tag.src = src
  document.head.appendChild(tag)
}

attempt(() => {
  const tag = ownTag()
  const stub = window.footfall
  if (!tag || (stub && stub.loaded)) return
  const settings = readSettings(tag)

  // Calls are queued until the page is visible, after those in the page's stub.
  const queued: Call[] = stub && Array.isArray(stub.q) ? stub.q : []
  let handle = (call: Call) => {
    queued.push(call)
  }
  const footfall: Footfall = (...call) => attempt(() => handle(call))
  footfall.q = { push: call => footfall(...call) }
  footfall.loaded = true
  window.footfall = footfall

  whenVisible(() =>
    attempt(() => {
      const page = createPage(settings, createSender(settings))
      const track = (...[name, options]: Call) => (name === 'pageview' ? page.view(options || {}) : page.event(name, options || {}))
      if (!settings.manual) {
        page.view()
        followNavigation(settings.hash, { moved: page.move, restored: page.view })
      }
      handle = ([name, options]) => track(name, options)
      queued.forEach(call => attempt(() => handle(call)))
      watchInteractions(settings.downloads, track)
      if (settings.vitals) loadVitals(settings.vitals, settings.nonce)
    }),
  )
})
