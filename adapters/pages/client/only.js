/** Fields of a form that only some values of another field want are hidden while it has another. Without scripts all are there. */
import { whenShown } from './shown.js'

whenShown(root => {
  for (const part of root.querySelectorAll('[data-only-with]')) {
    if (!(part instanceof HTMLElement)) continue
    const { onlyWith = '', values = '' } = part.dataset
    const control = part.closest('form')?.elements.namedItem(onlyWith)
    if (!(control instanceof HTMLSelectElement)) continue
    const show = () => {
      part.hidden = !values.split(' ').includes(control.value)
    }
    control.addEventListener('change', show)
    show()
  }
})
