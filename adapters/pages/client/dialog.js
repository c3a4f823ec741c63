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
  /** @param {string} selector of a part that may have been drawn again */
  const part = selector => {
    const found = dialog.querySelector(selector)
    return found instanceof HTMLElement ? found : undefined
  }
  // Of a choice that is made already, such as the kind of a goal, one goes on to what is still to be said; a
  // name can wait.
  const unsaid = [...dialog.querySelectorAll('input[type=text]:not([name="/name"])')].find(
    each =>
      each instanceof HTMLInputElement &&
      each.value === '' &&
      !each.labels?.[0]?.querySelector('.opt') &&
      !each.closest('details:not([open])'),
  )
  const first =
    part('[aria-invalid]') ??
    (unsaid instanceof HTMLElement ? unsaid : undefined) ??
    part('input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, button:not(.unseen, [hidden])')
  if (first) first.autofocus = true
  dialog.showModal()
  const close = () => {
    dialog.removeAttribute('data-typed')
    const back = part('a.back')
    if (back instanceof HTMLAnchorElement) void show(back.href, true)
    else dialog.close()
  }
  /** Closes the dialog. If the user has typed something, asks first. */
  const leave = () => {
    const lost = part('.lost')
    if (!dialog.hasAttribute('data-typed') || !lost) return close()
    lost.hidden = false
    lost.querySelector('button')?.focus()
    lost.scrollIntoView({ block: 'nearest' })
  }
  const stay = () => {
    const lost = part('.lost')
    if (lost) lost.hidden = true
    part('input:not([type=hidden]), select, textarea')?.focus()
  }
  dialog.addEventListener('input', () => dialog.setAttribute('data-typed', ''))
  dialog.addEventListener('submit', () => dialog.removeAttribute('data-typed'))
  dialog.addEventListener('cancel', event => {
    // Of the dialog itself: a chooser of files in it is cancelled too.
    if (event.target !== dialog) return
    event.preventDefault()
    leave()
  })
  dialog.addEventListener('click', event => {
    if (!(event.target instanceof Element)) return
    if (event.target.closest('a.back')) {
      event.preventDefault()
      event.stopPropagation()
      leave()
    }
    const answer = event.target.closest('.lost button')
    if (answer) (answer.matches('.danger') ? close : stay)()
  })
})

// Another page, or a closed window: the browser asks in its own words.
addEventListener('beforeunload', event => {
  if (document.querySelector('dialog[data-typed]')) event.preventDefault()
})
