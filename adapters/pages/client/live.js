/**
 * Refreshes the figures of a page every 30 s, or as often as the page says (`data-refresh="10"`), while it is visible and
 * the user is not filling in a form or reading an open part of it.
 */
import { tellShown } from './shown.js'
import { focusNow, show } from './swap.js'

const usual = 30
/** Entity tag and address of the page as it was loaded last, and the time of the last refresh. */
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
  // A page that waited for data has received it: all of the page changes.
  if (next.querySelector('[data-refresh]')?.getAttribute('data-refresh') !== part.getAttribute('data-refresh')) return show(href, false)
  document.title = next.title
  const now = next.querySelector('[data-now]')
  for (const each of document.querySelectorAll('[data-now]'))
    for (const name of ['data-now', 'aria-description', 'title']) each.setAttribute(name, now?.getAttribute(name) ?? '')
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

/** Each drawing of a form has a key of its own, which is not a change. @param {Element} part */
const withoutKeys = part => part.innerHTML.replace(/name="_key" value="[^"]*"/g, '')

/** Keeps opened parts open, such as a table of figures. @param {Element} here @param {Element} there */
function keepOpen(here, there) {
  const [were, are] = [here.querySelectorAll('details'), there.querySelectorAll('details')]
  if (were.length === are.length) are.forEach((each, i) => (each.open = were[i]?.open ?? false))
}

// If the service restarts or the network is down, the next tick tries again.
const tick = () => void look().catch(() => {})
setInterval(tick, 5_000)
addEventListener('visibilitychange', tick)
