/**
 * Keys of links and fields (`data-key`). `?` lists them. If the account has switched keys off, the page contains none.
 */
import { whenShown } from './shown.js'
import { menus } from './swap.js'

/** @param {string} key */
const named = key => document.querySelector(`[data-key="${CSS.escape(key)}"]`)

addEventListener('keydown', event => {
  const { target, key } = event
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
  if (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))) return
  if (document.querySelector(`:is(dialog[open], :popover-open, ${menus})`)) return
  const found = named(key.length === 1 ? key.toLowerCase() : key)
  if (!(found instanceof HTMLElement)) return
  event.preventDefault()
  if (found instanceof HTMLDialogElement) list(found)
  else if (found.closest('.side .find'))
    found.click() // opens the search over the page
  else if (found instanceof HTMLInputElement) {
    found.closest('details')?.setAttribute('open', '')
    found.focus()
    found.select()
  } else found.click()
})

/** Through what was found, from the field on. */
addEventListener('keydown', event => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const { target } = event
  if (step === 0 || !(target instanceof HTMLElement) || !target.closest('main search, .found')) return
  const stops = [...document.querySelectorAll('main search input[type=search], .found a, .found button')]
  const next = stops[stops.indexOf(target) + step]
  if (!(next instanceof HTMLElement) || stops.length < 2) return
  event.preventDefault()
  next.focus()
})

/** @param {string} key */
const shownAs = key => ({ ArrowLeft: '←', ArrowRight: '→' })[key] ?? key.toUpperCase()

/** @param {HTMLDialogElement} dialog */
function list(dialog) {
  const rows = [...document.querySelectorAll('[data-key]')].map(each => {
    const [row, key, name] = [document.createElement('div'), document.createElement('dt'), document.createElement('dd')]
    key.append(Object.assign(document.createElement('kbd'), { textContent: shownAs(each.getAttribute('data-key') ?? '') }))
    name.textContent = each.getAttribute('data-does') ?? each.getAttribute('aria-label') ?? each.textContent
    row.append(key, name)
    return row
  })
  dialog.querySelector('dl')?.replaceChildren(...rows)
  dialog.showModal()
}

whenShown(root => {
  for (const each of root.querySelectorAll('[data-key]')) each.setAttribute('aria-keyshortcuts', each.getAttribute('data-key') ?? '')
})
