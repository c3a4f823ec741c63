/** Shows the text of a part of a drawing next to the pointer. A tap shows it too; a second tap follows the link of the part. */
import { whenShown } from './shown.js'

whenShown(root => {
  for (const figure of root.querySelectorAll('.tipped')) {
    if (!(figure instanceof HTMLElement) || figure.dataset.read) continue
    figure.dataset.read = 'yes'
    /** Texts, which browsers would show a second time. @type {WeakMap<Element, string>} */
    const texts = new WeakMap()
    for (const title of figure.querySelectorAll('svg title')) {
      if (title.parentElement) texts.set(title.parentElement, title.textContent ?? '')
      title.remove()
    }
    const tip = document.createElement('div')
    tip.className = 'tip short'
    tip.hidden = true
    figure.append(tip)
    /** @type {Element | undefined} */
    let at
    const leave = () => {
      at?.classList.remove('at')
      at = undefined
      tip.hidden = true
    }
    /** @param {PointerEvent} event */
    const point = event => {
      const part = event.target instanceof Element ? event.target : undefined
      const text = part && texts.get(part)
      if (!part || text === undefined) return leave()
      if (part !== at) {
        at?.classList.remove('at')
        at = part
        part.classList.add('at')
        tip.textContent = text
      }
      tip.hidden = false
      const box = figure.getBoundingClientRect()
      const [x, y] = [event.clientX - box.x, event.clientY - box.y]
      tip.style.setProperty('left', `${Math.max(0, Math.min(box.width - tip.offsetWidth, x - tip.offsetWidth / 2))}px`)
      tip.style.setProperty('top', `${y < tip.offsetHeight + 16 ? y + 20 : y - tip.offsetHeight - 12}px`)
    }
    let before = /** @type {Element | undefined} */ (undefined)
    figure.addEventListener('pointerdown', event => {
      before = at
      if (event.pointerType !== 'mouse') point(event)
    })
    figure.addEventListener('pointermove', event => {
      if (event.pointerType === 'mouse') point(event)
    })
    figure.addEventListener('pointerleave', event => {
      if (event.pointerType === 'mouse') leave()
    })
    figure.addEventListener('click', event => {
      const isTap = event instanceof PointerEvent && event.pointerType !== 'mouse'
      if (!isTap || at === undefined || before === at) return
      event.preventDefault() // the first tap only shows the text
      event.stopPropagation()
    })
  }
})
