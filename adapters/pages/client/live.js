/**
 * Figures follow what comes in: every 30 s, or as often as a page says (`data-refresh="10"`), while it is seen and nobody is
 * in the middle of something on it.
 */
import { tellShown } from './shown.js'
import { focusNow, show } from './swap.js'

const usual = 30
/** Of the page as it was loaded last, and when that was. */
let tag = ''
let tagged = ''
let looked = Date.now()

const isBusy = () =>
  document.hidden || document.querySelector('dialog[open], main details.more[open], main :is(input, select, textarea):focus') !== null

async function look() {
  const part = document.querySelector('[data-refresh]')
  if (!(part instanceof HTMLElement) || isBusy()) return
  const parts = [...document.querySelectorAll('[data-refresh]')]
  const seconds = Math.min(...parts.map(each => Number(each.getAttribute('data-refresh')) || usual))
  if (Date.now() - looked < seconds * 1_000) return
  looked = Date.now()
  const { href } = location
  const answer = await fetch(href, { headers: { Accept: 'text/html', ...(tag && tagged === href && { 'If-None-Match': tag }) } })
  if (answer.status !== 200 || answer.redirected) return
  const text = await answer.text()
  if (isBusy() || location.href !== href) return
  ;[tag, tagged] = [answer.headers.get('etag') ?? '', href]
  const next = new DOMParser().parseFromString(text, 'text/html')
  // What waited for something has it now: then all of the page is another one.
  if (next.querySelector('[data-refresh]')?.getAttribute('data-refresh') !== part.getAttribute('data-refresh')) return show(href, false)
  document.title = next.title
  for (const there of next.querySelectorAll('[data-refresh]')) {
    const here = there.id === '' ? null : document.getElementById(there.id)
    if (!here || withoutKeys(here) === withoutKeys(there)) continue
    const refocus = here.contains(document.activeElement) ? focusNow() : undefined
    keepOpen(here, there)
    here.replaceWith(there)
    refocus?.(there)
    tellShown(there)
  }
}

/** Each drawing of a form has a key of its own, which is no change. @param {Element} part */
const withoutKeys = part => part.innerHTML.replace(/name="_key" value="[^"]*"/g, '')

/** What was opened stays open: a table of figures. @param {Element} here @param {Element} there */
function keepOpen(here, there) {
  const [were, are] = [here.querySelectorAll('details'), there.querySelectorAll('details')]
  if (were.length === are.length) are.forEach((each, i) => (each.open = were[i]?.open ?? false))
}

// A service that restarts or a network that is away is asked again the next time.
const tick = () => void look().catch(() => {})
setInterval(tick, 5_000)
addEventListener('visibilitychange', tick)
