/** Figures follow what comes in: every 30 s, while the page is seen and nobody is in the middle of something on it. */
import { tellShown } from './shown.js'
import { focusNow } from './swap.js'

const every = 30_000
/** Of the page as it was loaded last. */
let tag = ''
let tagged = ''

const isBusy = () =>
  document.hidden || document.querySelector('dialog[open], main details[open], main :is(input, select, textarea):focus') !== null

async function look() {
  if (isBusy() || !document.querySelector('[data-refresh]')) return
  const { href } = location
  const answer = await fetch(href, { headers: { Accept: 'text/html', ...(tag && tagged === href && { 'If-None-Match': tag }) } })
  if (answer.status !== 200 || answer.redirected) return
  const text = await answer.text()
  if (isBusy() || location.href !== href) return
  ;[tag, tagged] = [answer.headers.get('etag') ?? '', href]
  const next = new DOMParser().parseFromString(text, 'text/html')
  document.title = next.title
  for (const there of next.querySelectorAll('[data-refresh]')) {
    const here = there.id === '' ? null : document.getElementById(there.id)
    if (!here || here.innerHTML === there.innerHTML) continue
    const refocus = here.contains(document.activeElement) ? focusNow() : undefined
    here.replaceWith(there)
    refocus?.(there)
    tellShown(there)
  }
}

// A service that restarts or a network that is away is asked again the next time.
setInterval(() => void look().catch(() => {}), every)
