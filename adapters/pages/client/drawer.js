/**
 * Opens the whole list of a panel as a drawer over the overview, at the address of the list. Without scripts, and when it is
 * loaded again, the list is a page of its own. Escape, Back and the button return to the overview.
 */
import { tellShown } from './shown.js'

/** @type {HTMLDialogElement | undefined} */
let drawer

/** @param {string} href @param {boolean} isNew whether Back returns from it */
async function open(href, isNew) {
  const answer = await fetch(href, { headers: { Accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [title, list] = [page.querySelector('main h1'), page.querySelector('#shown')]
  if (!answer.ok || !title || !list) return location.assign(href)
  // The page below has its own panels, with the same ids.
  list.removeAttribute('id')
  list.removeAttribute('data-refresh')
  const chips = page.querySelector('main .chips')
  for (const each of chips?.querySelectorAll('details, .edit') ?? [])
    each.replaceWith(each.matches('.edit') ? (each.textContent ?? '') : '')
  if (isNew) history.pushState({ drawer: true }, '', answer.url)
  else history.replaceState({ drawer: true }, '', answer.url)
  const isOpen = drawer?.open === true
  drawer ??= document.body.appendChild(document.createElement('dialog'))
  drawer.className = 'drawer'
  drawer.setAttribute('aria-label', title.textContent ?? '')
  const close = document.createElement('button')
  Object.assign(close, { type: 'button', className: 'plain', textContent: '×' })
  close.setAttribute('aria-label', document.querySelector('dialog.keys form button')?.textContent?.trim() ?? 'Close')
  close.addEventListener('click', () => history.back())
  const head = document.createElement('header')
  head.append(title, close)
  drawer.replaceChildren(head, ...(chips ? [chips] : []), list)
  if (!isOpen) drawer.showModal()
  tellShown(drawer)
}

/** Whether an address is the list in the drawer, sorted or searched in another way. @param {URL} to */
const isList = to => to.origin === location.origin && to.pathname === location.pathname

addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hasAttribute('download'))
    return
  const to = new URL(link.href)
  if (link.closest('#shown .panel .ends') && /\/breakdown\//.test(to.pathname)) {
    event.preventDefault()
    void open(link.href, true).catch(() => location.assign(link.href))
  } else if (link.closest('.drawer') && isList(to)) {
    event.preventDefault()
    void open(link.href, false).catch(() => location.assign(link.href))
  }
})

addEventListener('submit', event => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.closest('.drawer') || form.method !== 'get') return
  event.preventDefault()
  const to = new URL(form.action)
  to.search = ''
  for (const [name, value] of new FormData(form)) if (typeof value === 'string' && value !== '') to.searchParams.append(name, value)
  void open(to.href, false).catch(() => location.assign(to.href))
})

addEventListener(
  'cancel',
  event => {
    if (event.target !== drawer) return
    event.preventDefault()
    history.back()
  },
  true,
)
addEventListener('popstate', () => {
  drawer?.remove()
  drawer = undefined
})
