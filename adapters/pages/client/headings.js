/**
 * Keeps the headings of a long table in view while the page is scrolled. A box that can be moved sideways would keep them in itself, so
 * this is for tables that are no wider than their box. Without scripts, they scroll along.
 */
import { whenShown } from './shown.js'

/** The end of the head of a page is a shade. */
const SHADE_PX = 8

/** @param {Element} box @returns {number} how far down the head of the page, or of the drawer, stays over it */
function coveredPx(box) {
  const head = box.closest('dialog')?.querySelector('header') ?? document.querySelector('main > .head')
  if (!(head instanceof HTMLElement)) return 0
  const { position, top } = getComputedStyle(head)
  return position === 'sticky' ? Math.max(0, head.offsetHeight + Number.parseFloat(top) - SHADE_PX) : 0
}

const sizes = new ResizeObserver(entries => {
  for (const box of new Set(entries.map(({ target }) => target.closest('.scroll'))))
    if (box instanceof HTMLElement) {
      box.classList.toggle('fits', box.scrollWidth <= box.clientWidth)
      box.style.setProperty('--under', `${coveredPx(box)}px`)
    }
})

whenShown(root => {
  for (const table of root.querySelectorAll('.card.scroll > table')) {
    sizes.observe(table)
    if (table.parentElement) sizes.observe(table.parentElement)
  }
})
