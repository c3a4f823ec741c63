/**
 * The panel of filters: suggests values from the data while someone types, offers the properties that there are, and has one
 * more line for another value once a line is filled in. Without scripts, values are typed, and a chip is changed to add more.
 */
import { tellShown, whenShown } from './shown.js'

/** @param {string} address @returns {Promise<HTMLElement[]>} elements that have a value */
async function valuesAt(address) {
  const answer = await fetch(address, { headers: { Accept: 'text/html' } })
  if (!answer.ok || answer.redirected) return []
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return [...page.querySelectorAll('#shown [data-value]')].filter(each => each instanceof HTMLElement)
}

const single = /^(gt|lt|regex|not_regex)$/
/** A suggestion waits until the typing pauses. */
const PAUSE_MS = 120

/** @param {HTMLElement} row */
function enhance(row) {
  const { suggestions } = row.dataset
  const [where, how] = row.querySelectorAll('select')
  const key = row.querySelector('[data-key-of]')
  const values = row.querySelector('.values')
  if (!where || !how || !(key instanceof HTMLElement) || !(values instanceof HTMLElement)) return
  const keyField = key.querySelector('input')
  const dimension = () => (where.value === 'property' ? `property:${keyField?.value ?? ''}` : where.value)
  const show = () => {
    key.hidden = where.value !== 'property'
  }
  show()
  where.addEventListener('change', () => {
    show()
    for (const list of values.querySelectorAll('datalist')) list.replaceChildren()
  })

  /** Suggests for a field. @param {HTMLInputElement} field @param {string} of the dimension */
  const suggest = async (field, of) => {
    const list = field.parentElement?.querySelector('datalist')
    if (!suggestions || !list || of === '') return
    const asked = new URLSearchParams({ text: field.value })
    const period = new URLSearchParams(location.search).get('period')
    if (period && period !== 'custom') asked.set('period', period)
    const found = await valuesAt(`${suggestions}${encodeURIComponent(of)}?${asked}`)
    const options = found.map(({ dataset: { value = '', note = '', flag }, textContent }) => {
      const option = new Option(textContent ?? '', value)
      option.dataset.note = note
      if (flag) option.dataset.flag = flag
      return option
    })
    list.replaceChildren(...options)
    list.dispatchEvent(new Event('renewed'))
  }
  let waiting = 0
  for (const type of ['input', 'focusin'])
    row.addEventListener(type, event => {
      const field = event.target
      if (!(field instanceof HTMLInputElement) || (type === 'input' && !event.isTrusted)) return
      clearTimeout(waiting)
      waiting = window.setTimeout(() => void suggest(field, field === keyField ? 'property' : dimension()).catch(() => {}), PAUSE_MS)
    })
  // While someone types, so that nothing moves below a pointer.
  values.addEventListener('input', () => {
    const lines = [...values.querySelectorAll('.combobox')]
    const last = lines.at(-1)
    const field = last?.querySelector('input')
    if (!last || !field || field.value === '' || single.test(how.value)) return
    const next = document.createElement('span')
    next.className = 'combobox'
    const input = document.createElement('input')
    const list = document.createElement('datalist')
    Object.assign(input, { name: field.name, id: `${field.name}-${lines.length}`, maxLength: 1000, autocomplete: 'off' })
    input.placeholder = values.dataset.more ?? ''
    input.setAttribute('aria-label', values.dataset.more ?? '')
    list.id = `${input.id}-known`
    input.setAttribute('list', list.id)
    next.append(input, list)
    last.after(next)
    tellShown(values)
  })
}

/** The properties that there are join the list of dimensions when the panel is opened. @param {Element} panel */
async function listProperties(panel) {
  const rows = [...panel.querySelectorAll('.filter-row')].filter(each => each instanceof HTMLElement)
  const { suggestions } = rows[0]?.dataset ?? {}
  if (!suggestions || panel.hasAttribute('data-known')) return
  panel.setAttribute('data-known', '')
  const found = await valuesAt(`${suggestions}property?limit=100`)
  for (const row of rows) {
    const group = row.querySelector('option[value=property]')?.parentElement
    const select = group?.closest('select')
    for (const { dataset, textContent } of found) {
      const value = `property:${dataset.value ?? ''}`
      const option = new Option(textContent ?? '', value)
      if (select && ![...select.options].some(each => each.value === value)) group?.append(option)
    }
  }
}

whenShown(root => {
  for (const row of root.querySelectorAll('.filter-row')) if (row instanceof HTMLElement) enhance(row)
  for (const open of root.querySelectorAll('.filter[open]')) void listProperties(open).catch(() => {})
})
addEventListener(
  'toggle',
  event => {
    const { target } = event
    if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches('.filter')) return
    void listProperties(target).catch(() => {})
    const first = target.querySelector('.filter-form select')
    // A key that opens the panel may have focused the value in it.
    if (first instanceof HTMLElement && !target.querySelector('form :focus')) first.focus({ preventScroll: true })
  },
  true,
)
