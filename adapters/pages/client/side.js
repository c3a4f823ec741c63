/**
 * The side of the page: the menu of sites loads them when it is opened and while someone searches; a button folds the side to
 * icons; the theme changes at once.
 */
import { base } from './base.js'

/** @param {HTMLElement} others where the sites are shown @param {string} search */
async function list(others, search) {
  const address = new URL(others.dataset.list ?? '', location.href)
  address.searchParams.set('per_page', '20')
  if (search !== '') address.searchParams.set('search', search)
  const answer = await fetch(address, { headers: { Accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  others.replaceChildren(...page.querySelectorAll('.switch-list'))
  for (const link of others.querySelectorAll('a'))
    if (location.pathname.slice(base.length).startsWith(link.pathname.slice(base.length).split('/').slice(0, 3).join('/') + '/'))
      link.setAttribute('aria-current', 'true')
}

addEventListener(
  'toggle',
  event => {
    const menu = event.target
    if (!(menu instanceof HTMLDetailsElement) || !menu.open || !menu.matches('.switcher')) return
    const [others, search] = [menu.querySelector('.others'), menu.querySelector('input')]
    if (others instanceof HTMLElement && others.childElementCount === 0) void list(others, '').catch(() => {})
    search?.focus()
  },
  true,
)

/** A search waits until the typing pauses. */
const PAUSE_MS = 150
let waiting = 0
addEventListener('input', event => {
  const field = event.target
  const others = field instanceof HTMLInputElement ? field.closest('.switcher')?.querySelector('.others') : null
  if (!(others instanceof HTMLElement) || !(field instanceof HTMLInputElement)) return
  clearTimeout(waiting)
  waiting = window.setTimeout(() => void list(others, field.value.trim()).catch(() => {}), PAUSE_MS)
})

// From the search to the sites, and on from one to the next.
addEventListener('keydown', event => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const menu = event.target instanceof Element ? event.target.closest('.switcher[open]') : null
  if (step === 0 || !menu || !(event.target instanceof HTMLElement)) return
  const stops = [...menu.querySelectorAll('input[type=search], .drop a')]
  const next = stops[stops.indexOf(event.target) + step]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
})

const root = document.documentElement
const fold = document.querySelector('.side .fold')
/** Icons without words have their names as titles. */
const show = () => {
  const isFolded = root.dataset.side === 'folded'
  fold?.setAttribute('aria-pressed', String(isFolded))
  for (const link of document.querySelectorAll('.side :is(nav a, summary)'))
    if (link instanceof HTMLElement)
      link.title = (isFolded ? link.querySelector('span:not(.letter)')?.textContent?.trim() : link.getAttribute('aria-description')) ?? ''
}
if (fold instanceof HTMLElement) {
  fold.hidden = false
  fold.addEventListener('click', () => {
    if (root.dataset.side === 'folded') delete root.dataset.side
    else root.dataset.side = 'folded'
    // The server draws the side folded from then on, so that nothing moves.
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox ESR
    document.cookie = `side=${root.dataset.side ?? 'open'}; Path=${base}/; Max-Age=34560000; SameSite=Lax${secure}`
    show()
  })
  show()
}
