/**
 * Shows the text of a chart's point next to the pointer; the arrow keys do the same without a pointer. A click, a drag or Enter
 * shows the days of the points as the period, and Escape returns from it. The plus below a point adds a note there.
 */
import { whenShown } from './shown.js'
import { show } from './swap.js'

/** @param {string} name @param {string} text */
const part = (name, text) => Object.assign(document.createElement(name), { textContent: text })
/** The date, the value, and what it is compared with: lines of the title of a point. @param {string} title */
function cardOf(title) {
  const [[label = '', now = ''] = [], before] = title.split('\n').map(line => line.split(/: (?!.*: )/))
  const row = (/** @type {string} */ key, /** @type {string} */ said, /** @type {string} */ value) => {
    const line = document.createElement('p')
    line.className = `key ${key}`
    line.append(part('span', said), part('b', value))
    return line
  }
  return before === undefined
    ? [part('strong', label), row('now', '', now)]
    : [row('now', label, now), row('before', before[0] ?? '', before[1] ?? '')]
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
      if (now instanceof SVGGElement && tip.dataset.at !== String(at))
        tip.replaceChildren(...cardOf(now.querySelector('title')?.textContent ?? ''))
      tip.dataset.at = String(at)
      if (!dot) return
      const middle = dot.x + dot.width / 2 - box.x
      const left = middle > box.width / 2 ? middle - tip.offsetWidth - 14 : middle + 14
      tip.style.setProperty('left', `${left}px`)
      tip.style.setProperty('top', `${Math.max(0, dot.y - box.y - tip.offsetHeight / 2)}px`)
      if (!(note instanceof HTMLAnchorElement)) return
      plus.hidden = false
      plus.style.setProperty('left', `${middle}px`)
      plus.style.setProperty('top', `${plot.getBoundingClientRect().bottom - box.y}px`)
    }
    const leave = () => {
      points[at]?.classList.remove('at')
      at = -1
      tip.hidden = plus.hidden = true
    }
    plot.setAttribute('tabindex', '0')
    const note = plot.closest('.card')?.querySelector('a.add-note')
    const plus = document.createElement('button')
    Object.assign(plus, { type: 'button', className: 'plus', hidden: true, tabIndex: -1, textContent: '+' })
    plus.setAttribute('aria-label', note?.textContent?.trim() ?? '')
    const range = document.createElement('div')
    range.className = 'range'
    range.hidden = true
    figure.append(range, plus)
    const addNote = () => {
      const from = points[at]?.getAttribute('data-at')
      if (from && note instanceof HTMLAnchorElement) location.assign(`${note.href}&at=${encodeURIComponent(from)}`)
    }
    plus.addEventListener('pointerdown', event => event.preventDefault()) // the chart keeps the focus
    plus.addEventListener('click', addNote)
    plus.addEventListener('pointerleave', event => event.relatedTarget !== plot && leave())

    /** The point next to the pointer. @param {PointerEvent} event */
    const indexOf = event => {
      const x = event.clientX - plot.getBoundingClientRect().x
      const away = points.map(each => Math.abs((each.querySelector('circle')?.cx.baseVal.value ?? Number.POSITIVE_INFINITY) - x))
      return away.indexOf(Math.min(...away))
    }
    /** The point at which a button was pressed, and the one that was shown before. */
    let [pressed, before] = [-1, -1]
    for (const type of ['pointermove', 'pointerdown'])
      plot.addEventListener(type, event => {
        if (!(event instanceof PointerEvent)) return
        const index = indexOf(event)
        if (type === 'pointerdown') [pressed, before] = [index, at]
        point(index)
        if (pressed >= 0 && pressed !== index && event.pointerType === 'mouse') select(pressed, index)
      })
    /** Marks the points between two. @param {number} one @param {number} other */
    const select = (one, other) => {
      const box = figure.getBoundingClientRect()
      const [first, last] = [Math.min(one, other), Math.max(one, other)].map(i => points[i]?.querySelector('rect')?.getBoundingClientRect())
      if (!first || !last) return
      const { y, height } = plot.getBoundingClientRect()
      range.hidden = false
      for (const [name, value] of Object.entries({ left: first.x - box.x, width: last.right - first.x, top: y - box.y, height }))
        range.style.setProperty(name, `${value}px`)
    }
    plot.addEventListener('pointerup', event => {
      const index = indexOf(event)
      const from = pressed
      pressed = -1
      range.hidden = true
      if (from < 0 || index < 0 || event.button !== 0) return
      // A tap shows the point, a second tap its days.
      if (event.pointerType === 'mouse' ? true : before === index && from === index) zoom(points, from, index)
    })
    plot.addEventListener('pointercancel', () => {
      pressed = -1
      range.hidden = true
    })
    plot.addEventListener('pointerleave', event => {
      if (event.pointerType === 'mouse' && event.relatedTarget !== plus) leave() // after a tap it stays
    })
    plot.addEventListener('blur', leave)
    plot.addEventListener('keydown', event => {
      if (event.key === 'Enter' && at >= 0) return zoom(points, at, at)
      if (event.key === '+') return addNote()
      const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length })
      const step = steps[event.key]
      if (event.key === 'Escape') return leave()
      if (step === undefined) return
      event.preventDefault()
      point(at < 0 && step > 0 && step < points.length ? 0 : at < 0 ? points.length - 1 : at + step)
    })
  }
})

/** Addresses that a zoom led to. @type {Set<string>} */
const zoomed = new Set()

/** Shows the days of some points as the period, if they are not the whole period. @param {Element[]} points @param {number} one @param {number} other */
function zoom(points, one, other) {
  const periods = document.querySelector('.periods.with-steps')
  if (!(periods instanceof HTMLElement)) return
  const { first = '', last = '' } = periods.dataset
  const dayOf = (/** @type {number} */ index) => points[index]?.getAttribute('data-at')?.slice(0, 10)
  const from = dayOf(Math.min(one, other))
  const next = dayOf(Math.max(one, other) + 1)
  if (!from) return
  const before = next ? new Date(Date.parse(`${next}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10) : last
  const [, to = from] = [from, before].sort()
  if (from <= first && to >= last) return
  const url = new URL(location.href)
  for (const [name, value] of Object.entries({ period: 'custom', from, to })) url.searchParams.set(name, value)
  for (const name of ['interval', 'page']) url.searchParams.delete(name)
  zoomed.add(url.href)
  void show(url.href, true)
}

addEventListener('keydown', event => {
  if (
    event.key !== 'Escape' ||
    event.defaultPrevented ||
    document.querySelector('dialog[open], main details.more[open], .side details[open]')
  )
    return
  if (zoomed.delete(location.href)) history.back()
})
