/** Buttons that copy or print a text to keep. Without scripts, one click selects the text, and the browser prints. */
import './copy.js'
import { whenShown } from './shown.js'

whenShown(root => {
  for (const button of root.querySelectorAll('button[data-print]')) {
    if (!(button instanceof HTMLElement)) continue
    button.hidden = false
    button.addEventListener('click', () => print())
  }
})
