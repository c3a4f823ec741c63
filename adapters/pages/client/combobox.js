/** Draws the known values of a field below it, as a list to choose from with the keyboard or the pointer. Looks up more while someone types. */
import { drawn } from './form.js'
import { whenShown } from './shown.js'

/** Most values that are shown at once. */
const maxShown = 8
/** After the last key. */
const lookAfterMs = 250

whenShown(root => {
  for (const box of root.querySelectorAll('.combobox')) {
    const [field, known] = [box.querySelector('input'), box.querySelector('datalist')]
    if (!(box instanceof HTMLElement) || !field || !known || !field.hasAttribute('list')) continue
    open(box, field, known)
  }
})

/** @param {string | undefined} path @returns {HTMLElement[]} */
function flags(path) {
  if (!path) return []
  const flag = document.createElement('img')
  Object.assign(flag, { src: path, className: 'flag', width: 18, height: 12, alt: '' })
  return [flag]
}

/** @param {HTMLElement} box @param {HTMLInputElement} field @param {HTMLDataListElement} known */
function open(box, field, known) {
  field.removeAttribute('list')
  const list = document.createElement('ul')
  list.id = `${field.id}-list`
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', field.labels?.[0]?.textContent?.trim() ?? '')
  list.hidden = true
  box.append(list)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  }))
    field.setAttribute(name, value)
  let at = -1
  const close = () => {
    list.hidden = true
    at = -1
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
  }
  const items = () => /** @type {HTMLElement[]} */ ([...list.children])
  const mark = (/** @type {number} */ next) => {
    at = next
    for (const [i, item] of items().entries()) item.setAttribute('aria-selected', String(i === at))
    const item = items()[at]
    if (!item) return field.removeAttribute('aria-activedescendant')
    field.setAttribute('aria-activedescendant', item.id)
    item.scrollIntoView({ block: 'nearest' })
  }
  const draw = () => {
    const typed = field.value.trim().toLowerCase()
    const options = [...known.options].filter(({ value, text }) => `${value}\n${text}`.toLowerCase().includes(typed))
    const isChosen = options.length === 1 && options[0]?.value === field.value
    list.replaceChildren(
      ...options.slice(0, maxShown).map(({ value, text, dataset: { note = '', flag } }, i) => {
        const item = document.createElement('li')
        item.id = `${list.id}-${i}`
        item.setAttribute('role', 'option')
        item.setAttribute('aria-selected', 'false')
        item.dataset.value = value
        const name = document.createElement('span')
        name.append(...flags(flag), text === '' || text === note ? value : text)
        const beside = document.createElement('span')
        beside.className = 'note'
        beside.textContent = note
        item.append(name, beside)
        return item
      }),
    )
    list.hidden = list.childElementCount === 0 || isChosen
    field.setAttribute('aria-expanded', String(!list.hidden))
    mark(-1)
  }
  /** Shows the name of the code in the field, and takes a name for its code. */
  const settle = () => {
    const typed = field.value.trim().toLowerCase()
    const named = [...known.options].filter(({ text, dataset }) => text !== '' && text !== dataset.note)
    const found = named.find(({ value }) => value === field.value) ?? named.find(({ text }) => text.toLowerCase() === typed)
    box.querySelector('.code-name')?.remove()
    if (!found) return
    field.value = found.value
    const words = document.createElement('span')
    const name = document.createElement('span')
    name.className = 'code-name'
    words.textContent = found.text
    name.append(...flags(found.dataset.flag), words)
    field.after(name)
  }
  field.addEventListener('change', settle)
  const choose = (/** @type {HTMLElement | undefined} */ item) => {
    if (!item) return
    field.value = item.dataset.value ?? ''
    close()
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later
  /** The values that contain what is typed, if there are more than the known ones. */
  const lookUp = async () => {
    const next = field.form && (await drawn(field.form, 'check'))
    const again = next?.querySelector(`#${CSS.escape(known.id)}`)
    if (!again || document.activeElement !== field) return
    known.replaceChildren(...again.childNodes)
    draw()
  }
  field.addEventListener('input', event => {
    if (!event.isTrusted) return
    draw()
    clearTimeout(later)
    if (box.hasAttribute('data-more')) later = setTimeout(lookUp, lookAfterMs)
  })
  field.addEventListener('click', () => list.hidden && draw())
  field.addEventListener('blur', close)
  known.addEventListener('renewed', () => document.activeElement === field && draw()) // other scripts fill the list
  field.addEventListener('keydown', event => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) return draw()
      const count = list.childElementCount
      mark((at + (key === 'ArrowDown' ? 1 : count + (at < 0 ? 0 : -1))) % count)
    } else if (key === 'Enter' && !list.hidden && at >= 0) {
      event.preventDefault()
      choose(items()[at])
    } else if (key === 'Escape' && !list.hidden) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  })
  list.addEventListener('pointerdown', event => {
    event.preventDefault() // the field keeps the focus
    if (event.target instanceof Element) choose(/** @type {HTMLElement | undefined} */ (event.target.closest('li') ?? undefined))
  })
}
