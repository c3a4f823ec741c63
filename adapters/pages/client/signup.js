/** Sign-up form in a frame: fills in the values that the framing page passes, and posts the form's state back to that page. */
const form = document.querySelector('[data-signup]')
const known = new URLSearchParams(location.hash.slice(1))
for (const name of ['email', 'name']) {
  const field = document.querySelector(`input[name="${name}"]`)
  const value = known.get(name)
  if (field instanceof HTMLInputElement && value && field.value === '') field.value = value.slice(0, 254)
}
if (parent !== window && form instanceof HTMLElement) {
  const state = form.dataset.signup
  const message = document.querySelector('.faults')?.textContent?.trim() ?? document.querySelector('h1')?.textContent ?? ''
  const isWell = state === 'ready' || state === 'submitted'
  parent.postMessage(isWell ? { type: `footfall:${state}` } : { type: 'footfall:error', message }, '*')
}
