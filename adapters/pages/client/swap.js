/**
 * Shows another period, filter, tab or form of the same page by replacing `<main>` and the navigation. Without scripts, the same links
 * load the whole page.
 */
import { tellShown } from './shown.js'

/** @type {AbortController | undefined} */
let running

/** Remembers the focused element. @returns {(root: ParentNode) => void} focuses the same element in new content */
export function focusNow() {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body || focused.id === 'main') return () => {}
  const { id, textContent, tagName } = focused
  return root => {
    const again = id
      ? root.querySelector(`#${CSS.escape(id)}`)
      : [...root.querySelectorAll(tagName)].find(each => each.textContent === textContent)
    if (again instanceof HTMLElement) again.focus({ preventScroll: true })
  }
}

/** Restores the focus that was there before a form was opened. @type {ReturnType<typeof focusNow> | undefined} */
let opener

/** The link in a panel that stays open after a choice. @type {Element | null} */
let staying = null

/**
 * @param {string} href
 * @param {boolean} isNew whether the browser's Back returns from it
 * @param {URLSearchParams} [sent] fields of a form to send; the page that it leads to is shown
 * @throws if a form received no answer
 */
export async function show(href, isNew, sent) {
  running?.abort()
  running = new AbortController()
  try {
    const how = sent ? { method: 'POST', body: sent } : {}
    const answer = await fetch(href, { ...how, headers: { Accept: 'text/html' }, signal: running.signal })
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // The parser runs no scripts, so the content of `<noscript>` is parsed as elements.
    for (const each of next.querySelectorAll('noscript')) each.remove()
    const [here, there] = [document.querySelector('main'), next.querySelector('main')]
    // After a sign-out or a redirect, the browser loads the whole page.
    const isElsewhere = answer.redirected && new URL(answer.url).pathname !== new URL(href, location.href).pathname
    if (!here || !there || (isElsewhere && !sent)) return location.assign(sent ? answer.url : href)
    const wasOpen = here.querySelector('dialog[open]') !== null
    const opens = there.querySelector('.doing') !== null
    if (opens && !wasOpen) opener = focusNow()
    const refocus = wasOpen && !opens ? opener : focusNow()
    if (isNew && (!sent || answer.redirected)) history.pushState(null, '', answer.redirected ? answer.url : href)
    document.title = next.title
    const menus = [...here.querySelectorAll('details.more')].map(each => staying && each.contains(staying))
    here.replaceWith(there)
    if (staying) there.querySelectorAll('details.more').forEach((each, i) => each.toggleAttribute('open', menus[i] === true))
    staying = null
    // Links to other reports take the period and the filters along.
    for (const part of ['#menu > nav', '.switcher', '.phone-bar']) {
      const [now, then] = [document.querySelector(part), next.querySelector(part)]
      if (now && then) now.replaceWith(then)
    }
    if (!opens) refocus?.(there)
    tellShown(there)
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return
    if (sent) throw thrown
    location.assign(href)
  }
}

/** @param {URL} to whether it is this page with other parameters */
const isHere = to => to.origin === location.origin && to.pathname === location.pathname && to.search !== location.search

/** Open panels and menus. Shortcuts of the keyboard are off meanwhile (keys.js). */
export const menus = 'details:is(.more, .person, .switcher)[open]'
addEventListener('keydown', event => {
  if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
  const open = document.activeElement?.closest(menus) ?? document.querySelector(menus)
  if (!open) return
  open.removeAttribute('open')
  open.querySelector('summary')?.focus()
})

addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('main a') : null
  for (const open of document.querySelectorAll(menus))
    if (!(event.target instanceof Node && open.contains(event.target))) open.removeAttribute('open')
  if (!(link instanceof HTMLAnchorElement) || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (!isHere(new URL(link.href))) return
  event.preventDefault()
  staying = link.closest('details[open] [data-stay]')
  void show(link.href, true)
})

addEventListener('submit', event => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method !== 'get' || !form.closest('main')) return
  const to = new URL(form.action)
  to.search = new URLSearchParams(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  ).toString()
  event.preventDefault()
  void show(to.href, true)
})

addEventListener('popstate', () => void show(location.href, false))
