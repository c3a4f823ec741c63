/** Scrolls the current tab into view, if not all tabs fit. */
import { whenShown } from './shown.js'

whenShown(root => {
  for (const current of root.querySelectorAll('.tab-bar [aria-current]')) {
    const bar = current.parentElement
    if (!(current instanceof HTMLElement) || !bar || bar.scrollWidth <= bar.clientWidth) continue
    bar.scrollLeft += current.getBoundingClientRect().x - bar.getBoundingClientRect().x - (bar.clientWidth - current.offsetWidth) / 2
  }
})
