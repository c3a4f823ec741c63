/**
 * Opens the search in a dialog over the page: by ⌘K, Ctrl+K or its key, `/`. It shows what the page of the search finds, while one
 * types; before that, what was opened last in this browser. Without scripts, the field leads to that page.
 */
import { base } from './base.js'

const remembered = 'footfall.recent'
const MAX_RECENT = 8
const WAIT_MS = 120

/** @typedef {{ href: string, label: string }} Opened */
/** @returns {Opened[]} */
function recent() {
  try {
    const found = JSON.parse(localStorage.getItem(remembered) ?? '[]')
    return Array.isArray(found) ? found.filter(({ href, label }) => /^\/(?!\/)/.test(href) && typeof label === 'string') : []
  } catch {
    return []
  }
}

/** @param {HTMLAnchorElement} link */
function remember({ pathname, search, hash, textContent }) {
  const opened = { href: pathname + search + hash, label: (textContent ?? '').trim() }
  const others = recent().filter(({ href }) => href !== opened.href)
  try {
    localStorage.setItem(remembered, JSON.stringify([opened, ...others].slice(0, MAX_RECENT)))
  } catch {} // a browser may store nothing
}

function listRecent() {
  const list = document.createElement('ul')
  for (const { href, label } of recent()) {
    const [item, link] = [document.createElement('li'), document.createElement('a')]
    Object.assign(link, { href, textContent: label })
    item.append(link)
    list.append(item)
  }
  return list
}

/** Results: pages, and buttons of actions. */
const stop = 'a, button'

/** @type {HTMLDialogElement | undefined} */
let dialog

/** @param {string} [text] what was typed so far */
function open(text) {
  const field = document.querySelector('.side .find')
  if (!field || document.querySelector('dialog[open]')) return
  dialog ??= make(field)
  dialog.showModal()
  const input = dialog.querySelector('input[type=search]')
  if (!(input instanceof HTMLInputElement)) return
  input.focus()
  if (text === undefined) return input.select()
  input.value = text
  input.setSelectionRange(text.length, text.length) // where typing goes on
  input.dispatchEvent(new Event('input'))
}

/** @param {Element} field the search field of the navigation */
function make(field) {
  const made = document.createElement('dialog')
  const search = /** @type {Element} */ (field.cloneNode(true))
  const found = document.createElement('div')
  made.className = 'palette'
  found.className = 'found'
  search.querySelector('input[type=search]')?.removeAttribute('data-key')
  made.setAttribute('aria-label', search.querySelector('input[type=search]')?.getAttribute('aria-label') ?? '')
  found.replaceChildren(listRecent())
  made.append(search, found)
  document.body.append(made)
  const form = made.querySelector('form')
  const input = made.querySelector('input[type=search]')
  if (!(form instanceof HTMLFormElement) || !(input instanceof HTMLInputElement)) return made
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  /** @type {AbortController | undefined} */
  let running
  const look = async () => {
    running?.abort()
    if (input.value.trim() === '') return found.replaceChildren(listRecent())
    running = new AbortController()
    const address = new URL(form.action)
    for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value))
    try {
      const answer = await fetch(address, { headers: { Accept: 'text/html' }, signal: running.signal })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      found.dataset.of = address.search
      found.replaceChildren(...page.querySelectorAll('main .found > *, main .empty'))
      for (const back of found.querySelectorAll('input[name=_back]'))
        back.setAttribute('value', location.pathname.slice(base.length) + location.search)
    } catch (thrown) {
      if (!(thrown instanceof DOMException && thrown.name === 'AbortError')) throw thrown
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void look(), WAIT_MS)
  })
  form.addEventListener('submit', event => {
    const first = found.querySelector(stop)
    const asked = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    // Before the answer is there, the page of the search shows it.
    if (!(first instanceof HTMLElement) || found.dataset.of !== `?${asked}`) return
    event.preventDefault()
    first.click()
  })
  made.addEventListener('keydown', event => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const stops = /** @type {HTMLElement[]} */ ([input, ...found.querySelectorAll(stop)])
    const next = stops[stops.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step]
    event.preventDefault()
    event.stopPropagation()
    next?.focus()
  })
  made.addEventListener('click', event => {
    if (event.target === made) made.close()
  })
  return made
}

addEventListener('keydown', event => {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
  event.preventDefault()
  open()
})
/** @param {Event} event */
const fieldOf = ({ target }) => (target instanceof HTMLInputElement && target.closest('.side .find') ? target : undefined)
// A click or a text in the field opens it. Its focus alone does not: whoever goes on by Tab would be caught in the dialog.
addEventListener('click', event => {
  if (fieldOf(event)) open()
})
addEventListener('input', event => {
  const field = fieldOf(event)
  if (!field || /** @type {InputEvent} */ (event).isComposing) return
  open(field.value)
  field.value = ''
})
addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('.found a') : null
  if (!(link instanceof HTMLAnchorElement)) return
  remember(link)
  dialog?.close()
})
// Names of records stay with the person who opened them.
addEventListener('submit', event => {
  if (event.target instanceof HTMLFormElement && event.target.action.includes('/session?_method=DELETE'))
    localStorage.removeItem(remembered)
})
