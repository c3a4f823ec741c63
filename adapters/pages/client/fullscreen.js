/** A button that shows a part of the page on the whole screen, for a display on a wall. Without scripts there is none. */
import { whenShown } from './shown.js'

whenShown(root => {
  for (const button of root.querySelectorAll('button[data-fullscreen]')) {
    if (!(button instanceof HTMLButtonElement) || !document.fullscreenEnabled) continue
    button.hidden = false
    button.addEventListener('click', () => void document.querySelector(button.dataset.fullscreen ?? 'main')?.requestFullscreen())
  }
})
