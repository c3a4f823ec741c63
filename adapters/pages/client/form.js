/**
 * Forms that the server draws again with what is typed: with the fields of another kind, or with a list that has one item
 * more or less. While someone fills in a form, the server checks the field that was left, and renews previews and proposed
 * names. Without scripts, buttons do the former, and saving the latter.
 */
import { tellShown, whenShown } from './shown.js'

/** The form under way, and the request for it. @type {AbortController | undefined} */
let running

/**
 * @param {HTMLFormElement} form
 * @param {string} does for example `add /steps`
 * @returns {Promise<HTMLFormElement | undefined>} the form as the server draws it
 */
export async function drawn(form, does) {
  running?.abort()
  running = new AbortController()
  const sent = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') sent.append(name, value)
  sent.set('_draft', does)
  try {
    const answer = await fetch(form.action, { method: 'POST', body: sent, headers: { Accept: 'text/html' }, signal: running.signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const each of page.querySelectorAll('noscript')) each.remove()
    const next = page.querySelector('.doing form')
    return next instanceof HTMLFormElement ? next : undefined
  } catch {
    return undefined // it is sent once more with the next change, and in the end checked as a whole
  }
}

/** @param {HTMLFormElement} form @param {string} does @param {HTMLElement} from the control that was used */
async function redraw(form, does, from) {
  form.setAttribute('aria-busy', 'true')
  const next = await drawn(form, does)
  form.removeAttribute('aria-busy')
  if (!next || !form.isConnected) return
  // The server repeats no secrets.
  for (const secret of form.querySelectorAll('input[type=password]')) {
    const again = next.elements.namedItem(secret.getAttribute('name') ?? '')
    if (secret instanceof HTMLInputElement && again instanceof HTMLInputElement) again.value = secret.value
  }
  form.replaceWith(next)
  tellShown(next)
  focusAfter(next, does, from)
}

/** @param {HTMLFormElement} form @param {string} does @param {HTMLElement} from */
function focusAfter(form, does, from) {
  const [verb = '', pointer = ''] = does.split(' ')
  const control = (/** @type {Element | null | undefined} */ of) => of?.querySelector('input:not([type=hidden]), select, textarea')
  const add = [...form.querySelectorAll('button')].find(each => each.value === `add ${pointer.replace(/\/\d+$/, '')}`)
  const list = [...form.querySelectorAll('.items')].find(each =>
    [...each.querySelectorAll('input')].some(({ name }) => name === `${pointer}/-`),
  )
  const next =
    verb === 'add'
      ? control(list?.querySelector('ol')?.lastElementChild)
      : verb === 'remove'
        ? add
        : verb === 'up' || verb === 'down'
          ? moved(form, verb, pointer)
          : from.id
            ? form.querySelector(`#${CSS.escape(from.id)}`)
            : [...form.querySelectorAll('button')].find(each => each.value === does)
  if (next instanceof HTMLElement) next.focus()
}

/** The button of the item at its new place. @param {HTMLFormElement} form @param {string} verb @param {string} pointer */
function moved(form, verb, pointer) {
  const at = Number(pointer.slice(pointer.lastIndexOf('/') + 1)) + (verb === 'up' ? -1 : 1)
  const item = `${pointer.slice(0, pointer.lastIndexOf('/'))}/${at}`
  const buttons = [...form.querySelectorAll('button')].filter(({ value, disabled }) => !disabled && value.endsWith(` ${item}`))
  return buttons.find(({ value }) => value.startsWith(verb)) ?? buttons[0]
}

/** A form is checked once the user has paused for so long. */
const pauseMs = 250

/** The fields that were left since the form was last checked. @type {Set<HTMLElement>} */
const left = new Set()
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon
let isChecking = false

/** Checks the form soon, with one request at a time. @param {HTMLFormElement} form @param {HTMLElement} field the field that was left */
function checkSoon(form, field) {
  left.add(field)
  for (const part of form.querySelectorAll('[data-live]')) part.setAttribute('aria-busy', 'true')
  clearTimeout(soon)
  soon = setTimeout(async () => {
    if (isChecking) return
    isChecking = true
    const fields = [...left]
    left.clear()
    await check(form, fields)
    isChecking = false
    const [next] = left
    if (next && form.isConnected) checkSoon(form, next)
  }, pauseMs)
}

/** @param {HTMLFormElement} form @param {readonly HTMLElement[]} fields the fields that were left */
async function check(form, fields) {
  const next = await drawn(form, 'check')
  if (!form.isConnected) return
  if (left.size === 0) for (const part of form.querySelectorAll('[data-live]')) part.removeAttribute('aria-busy')
  // A figure of other values would be wrong.
  if (!next && left.size === 0) for (const part of form.querySelectorAll('[data-live]')) part.replaceChildren()
  if (!next) return
  for (const part of form.querySelectorAll('[data-live]')) {
    const again = next.querySelector(`#${CSS.escape(part.id)}`)
    if (again && again.innerHTML !== part.innerHTML) part.replaceChildren(...again.childNodes)
  }
  for (const field of form.querySelectorAll('[data-proposed]')) {
    const again = next.querySelector(`#${CSS.escape(field.id)}`)
    if (!(field instanceof HTMLInputElement) || !(again instanceof HTMLElement)) continue
    const { proposed = '' } = again.dataset
    // Someone may be about to type in it.
    if (field !== document.activeElement && (field.value === field.dataset.proposed || field.value === '')) field.value = proposed
    field.dataset.proposed = proposed
    const hidden = form.elements.namedItem(`_proposed${field.name}`)
    if (hidden instanceof HTMLInputElement) hidden.value = proposed
  }
  for (const field of fields) showFault(field, next)
}

/** Shows the fault of a field, or takes it away. @param {HTMLElement} field @param {HTMLFormElement} next */
function showFault(field, next) {
  const id = `${field.id}-fault`
  document.querySelector(`#${CSS.escape(id)}`)?.remove()
  const fault = field.id && next.querySelector(`#${CSS.escape(id)}`)
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(each => each !== '' && each !== id)
  if (fault) {
    described.unshift(id)
    const frame = field.closest('.field, .sentence, .condition, .items')
    if (frame?.matches('.field')) frame.querySelector('.help')?.before(fault)
    if (!fault.isConnected || fault.ownerDocument !== document) frame?.append(fault)
    field.setAttribute('aria-invalid', 'true')
  } else field.removeAttribute('aria-invalid')
  if (described.length > 0) field.setAttribute('aria-describedby', described.join(' '))
  else field.removeAttribute('aria-describedby')
}

addEventListener('submit', event => {
  const [form, button] = [event.target, event.submitter]
  if (!(form instanceof HTMLFormElement) || !(button instanceof HTMLButtonElement) || button.name !== '_draft') return
  event.preventDefault()
  void redraw(form, button.value, button)
})

addEventListener('change', event => {
  const field = event.target
  if (!(field instanceof HTMLElement)) return
  const form = field.closest('.doing form')
  if (!(form instanceof HTMLFormElement) || field.matches('[type=file]')) return
  if (field.hasAttribute('data-redraws')) void redraw(form, 'show', field)
  else checkSoon(form, field)
})

// The browser knows the time zone better than a workspace without one. A choice, also one that the browser restored, stays.
whenShown(root => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  for (const select of root.querySelectorAll('select[data-zone]')) {
    if (!(select instanceof HTMLSelectElement) || !select.selectedOptions[0]?.defaultSelected) continue
    if ([...select.options].some(({ value }) => value === timeZone)) select.value = timeZone
  }
})
