/** Shows the open form of a page in a dialog over the page. Without scripts, the form is a section of the page. */
import { whenShown } from './shown.js'
import { show } from './swap.js'

whenShown(root => {
  const section = root.querySelector('.doing')
  if (!section || section.closest('dialog')) return
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'doing')
  section.removeAttribute('aria-labelledby')
  section.replaceWith(dialog)
  dialog.append(section)
  const back = section.querySelector('a.back')
  const first = section.querySelector('[aria-invalid]') ?? section.querySelector('input:not([type=hidden]), select, textarea, button')
  if (first instanceof HTMLElement) first.autofocus = true
  dialog.showModal()
  const close = () => {
    dialog.removeAttribute('data-typed')
    if (back instanceof HTMLAnchorElement) void show(back.href, true)
    else dialog.close()
  }
  const lost = section.querySelector('.lost')
  /** Closes the dialog. If the user has typed something, asks first. */
  const leave = () => {
    if (!dialog.hasAttribute('data-typed') || !(lost instanceof HTMLElement)) return close()
    lost.hidden = false
    lost.querySelector('button')?.focus()
    lost.scrollIntoView({ block: 'nearest' })
  }
  dialog.addEventListener('input', () => dialog.setAttribute('data-typed', ''))
  dialog.addEventListener('submit', () => dialog.removeAttribute('data-typed'))
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    leave()
  })
  back?.addEventListener('click', event => {
    event.preventDefault()
    event.stopPropagation()
    leave()
  })
  const [keep, lose] = lost?.querySelectorAll('button') ?? []
  keep?.addEventListener('click', () => {
    if (lost instanceof HTMLElement) lost.hidden = true
    if (first instanceof HTMLElement) first.focus()
  })
  lose?.addEventListener('click', close)
})

// Another page, or a closed window: the browser asks in its own words.
addEventListener('beforeunload', event => {
  if (document.querySelector('dialog[data-typed]')) event.preventDefault()
})
