/**
 * Cards of a dashboard that are dragged, moved with the arrow keys, or given another width. The page is then sent as its form.
 * Without scripts, buttons and the form of a card do the same.
 */
import { whenShown } from './shown.js'
import { show } from './swap.js'

/** The card that is dragged. @type {HTMLElement | null} */
let dragged = null

/**
 * Sends the cards in an order, and shows them.
 * @param {number[]} order the former indexes
 * @param {[name: string, value: string]} [change] a field to set
 */
async function send(order, change) {
  const form = document.querySelector('form.arrangement')
  if (!(form instanceof HTMLFormElement)) return
  const fields = new Map([...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  if (change) fields.set(...change)
  const sent = new URLSearchParams()
  const at = (/** @type {string} */ name) => /^\/cards\/(\d+)(\/.+)$/.exec(name)
  for (const [name, value] of fields) if (!at(name)) sent.append(name, value)
  for (const [to, from] of order.entries())
    for (const [name, value] of fields) {
      const [, index, rest] = at(name) ?? []
      if (index !== undefined && Number(index) === from) sent.append(`/cards/${to}${rest}`, value)
    }
  await show(form.action, false, sent).catch(() => location.reload())
}

const cards = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.board [data-card]')])
const orderNow = () => cards().map(card => Number(card.dataset.card))

/** @param {HTMLElement} card @param {number} to */
async function move(card, to) {
  const order = orderNow()
  const from = order.indexOf(Number(card.dataset.card))
  if (to < 0 || to >= order.length || to === from) return
  order.splice(to, 0, ...order.splice(from, 1))
  await send(order)
}

/** @type {Readonly<Record<string, number>>} */
const steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

whenShown(root => {
  for (const handle of root.querySelectorAll('.handle')) {
    const card = handle.closest('[data-card]')
    const grip = handle.querySelector('.grip')
    if (!(handle instanceof HTMLElement) || !(card instanceof HTMLElement) || !(grip instanceof HTMLElement)) continue
    handle.hidden = false
    const at = Number(card.dataset.card)
    // Only by its grip: the texts of a card can still be selected.
    grip.draggable = true
    grip.addEventListener('dragstart', event => {
      dragged = card
      event.dataTransfer?.setData('text/plain', String(at))
      event.dataTransfer?.setDragImage(card, 20, 20)
    })
    grip.addEventListener('dragend', () => {
      dragged = null
      for (const each of document.querySelectorAll('.dropping')) each.classList.remove('dropping')
    })
    grip.addEventListener('keydown', event => {
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      const to = orderNow().indexOf(at) + step
      void move(card, to).then(() => {
        const moved = document.querySelector(`[data-card="${to}"] .grip`)
        if (moved instanceof HTMLElement) moved.focus()
      })
    })
    handle.querySelector('select')?.addEventListener('change', event => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target)
      void send(orderNow(), [`/cards/${at}/size`, value])
    })
    card.addEventListener('dragover', event => {
      if (!dragged || dragged === card) return
      event.preventDefault()
      card.classList.add('dropping')
    })
    card.addEventListener('dragleave', event => {
      if (!(event.relatedTarget instanceof Node) || !card.contains(event.relatedTarget)) card.classList.remove('dropping')
    })
    card.addEventListener('drop', event => {
      if (!dragged) return
      event.preventDefault()
      void move(dragged, orderNow().indexOf(at))
    })
  }
})
