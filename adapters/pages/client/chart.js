/** Shows the text of a chart's point next to the pointer. The arrow keys do the same without a pointer. */
import { whenShown } from './shown.js'

/** @param {string} name @param {string} text */
const part = (name, text) => Object.assign(document.createElement(name), { textContent: text })
/** The date, the value, and what it is compared with. @param {DOMStringMap} of */
function cardOf({ label = '', now = '', before, beforeLabel = '' }) {
  const row = (/** @type {string} */ key, /** @type {string} */ said, /** @type {string} */ value) => {
    const line = document.createElement('p')
    line.className = `key ${key}`
    line.append(part('span', said), part('b', value))
    return line
  }
  return before === undefined ? [part('strong', label), row('now', '', now)] : [row('now', label, now), row('before', beforeLabel, before)]
}

whenShown(root => {
  for (const plot of root.querySelectorAll('.chart .plot')) {
    const points = [...plot.querySelectorAll('.point')]
    const figure = plot.closest('.chart')
    if (!(plot instanceof SVGSVGElement) || !(figure instanceof HTMLElement) || points.length === 0 || plot.dataset.read) continue
    plot.dataset.read = 'yes'
    const tip = document.createElement('div')
    tip.className = 'tip'
    tip.hidden = true
    tip.setAttribute('role', 'status')
    figure.append(tip)
    let at = -1

    /** @param {number} index */
    const point = index => {
      points[at]?.classList.remove('at')
      at = Math.min(points.length - 1, Math.max(0, index))
      const now = points[at]
      now?.classList.add('at')
      const dot = now?.querySelector('circle')?.getBoundingClientRect()
      const box = figure.getBoundingClientRect()
      tip.hidden = false
      if (now instanceof SVGGElement && tip.dataset.at !== String(at)) tip.replaceChildren(...cardOf(now.dataset))
      tip.dataset.at = String(at)
      if (!dot) return
      const middle = dot.x + dot.width / 2 - box.x
      const left = middle > box.width / 2 ? middle - tip.offsetWidth - 14 : middle + 14
      tip.style.setProperty('left', `${left}px`)
      tip.style.setProperty('top', `${Math.max(0, dot.y - box.y - tip.offsetHeight / 2)}px`)
    }
    const leave = () => {
      points[at]?.classList.remove('at')
      at = -1
      tip.hidden = true
    }
    plot.setAttribute('tabindex', '0')
    for (const type of ['pointermove', 'pointerdown'])
      plot.addEventListener(type, event => {
        const group = event.target instanceof Element ? event.target.closest('.point') : null
        if (group) point(points.indexOf(group))
      })
    plot.addEventListener('pointerleave', event => {
      if (event.pointerType === 'mouse') leave() // after a tap it stays
    })
    plot.addEventListener('blur', leave)
    // If the page has a link to add a note, a click on a point adds one there.
    const note = plot.closest('.card')?.querySelector('a.add-note')
    const addNote = () => {
      const from = points[at]?.getAttribute('data-at')
      if (from && note instanceof HTMLAnchorElement) location.assign(`${note.href}&at=${encodeURIComponent(from)}`)
    }
    plot.addEventListener('click', addNote)
    plot.addEventListener('keydown', event => {
      if (event.key === 'Enter') return addNote()
      const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length })
      const step = steps[event.key]
      if (event.key === 'Escape') return leave()
      if (step === undefined) return
      event.preventDefault()
      point(at < 0 && step > 0 && step < points.length ? 0 : at < 0 ? points.length - 1 : at + step)
    })
  }
})
