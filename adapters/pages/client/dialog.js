/** A form that is open on a page stands in a dialog over it; closed, the page is as it was. Without scripts it is a section. */
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
  const first = section.querySelector('[aria-invalid], input:not([type=hidden]), select, textarea, button')
  if (first instanceof HTMLElement) first.autofocus = true
  dialog.showModal()
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    if (back instanceof HTMLAnchorElement) void show(back.href, true)
    else dialog.close()
  })
})
