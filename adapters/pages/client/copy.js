/** Shows buttons that copy the text next to them. Without scripts, no button is shown: one click into the text selects all of it. */
import { whenShown } from './shown.js'

whenShown(root => {
  if (!navigator.clipboard) return // only there on https and on this computer
  for (const button of root.querySelectorAll('button[data-copy]')) if (button instanceof HTMLElement) button.hidden = false
})

addEventListener('click', async event => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null
  if (!(button instanceof HTMLElement)) return
  const text = button.parentElement?.querySelector('pre, code')?.textContent ?? ''
  const said = button.textContent
  await navigator.clipboard.writeText(text)
  button.textContent = button.dataset.copy ?? ''
  button.setAttribute('aria-live', 'polite')
  setTimeout(() => (button.textContent = said), 2_000)
})
