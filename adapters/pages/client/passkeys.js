/**
 * Passkeys: gets options from the service and a key or a signature from the device, and sends it to the service. Without
 * scripts, or if the browser does not support passkeys, their part of the page stays hidden.
 */
import { base } from './base.js'

/** @param {string} path @param {object} body */
async function post(path, body) {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const { data, error } = await answer.json()
  if (error) throw Object.assign(new Error(error.message), { code: error.code, details: error.details ?? [] })
  return data
}

/** @param {string} text */
const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
/** @param {ArrayBuffer} buffer */
const encoded = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** @param {any} options */
async function create(options) {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((/** @type {any} */ each) => ({ ...each, id: bytes(each.id) })),
  }
  const made = /** @type {any} */ (await navigator.credentials.create({ publicKey }))
  const { clientDataJSON, attestationObject } = made.response
  return {
    id: made.id,
    rawId: made.id,
    type: 'public-key',
    response: {
      clientDataJSON: encoded(clientDataJSON),
      attestationObject: encoded(attestationObject),
      transports: made.response.getTransports?.() ?? [],
    },
  }
}

/** @param {any} options */
async function get(options) {
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: [] }
  const shown = /** @type {any} */ (await navigator.credentials.get({ publicKey }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = shown.response
  return {
    id: shown.id,
    rawId: shown.id,
    type: 'public-key',
    response: {
      clientDataJSON: encoded(clientDataJSON),
      authenticatorData: encoded(authenticatorData),
      signature: encoded(signature),
      userHandle: userHandle ? encoded(userHandle) : null,
    },
  }
}

/** Actions by place. @type {Record<string, (place: HTMLElement) => Promise<unknown>>} */
const ceremonies = {
  async 'sign-in'() {
    const { options } = await post('/session/options.json', {})
    await post('/session.json', { passkey: await get(options) })
  },
  async create(place) {
    const field = place.closest('form')?.elements.namedItem('current_password')
    if (field instanceof HTMLInputElement && !field.reportValidity()) return false
    const { options } = await post(
      '/account/passkeys/options.json',
      field instanceof HTMLInputElement ? { current_password: field.value } : {},
    )
    await post('/account/passkeys.json', { passkey: await create(options) })
  },
  async 'set-up'({ dataset: { action = '' } }) {
    const field = document.querySelector('input[name=email]')
    const email = field instanceof HTMLInputElement && field.value !== '' ? { email: field.value } : {}
    if (field instanceof HTMLInputElement && !field.reportValidity()) return false
    const { options } = await post(`${action}/options.json`, email)
    await post(`${action}.json`, { ...email, passkey: await create(options) })
  },
}

/** @type {NodeListOf<HTMLElement>} */
const places = document.querySelectorAll('[data-passkey]')
for (const place of places) {
  const [button, fault] = [place.querySelector('button'), place.querySelector('.fault')]
  const run = ceremonies[place.dataset.passkey ?? '']
  if (!window.PublicKeyCredential || !button || !(fault instanceof HTMLElement) || !run) continue
  place.hidden = false
  button.addEventListener('click', async () => {
    fault.hidden = true
    button.disabled = true
    try {
      if ((await run(place)) !== false) location.assign(place.dataset.next ?? `${base}/`)
    } catch (thrown) {
      const error = /** @type {Error & { code?: string, details?: { pointer: string }[] }} */ (thrown)
      if (error.code === 'reauthentication_required')
        return location.assign(`${base}/sign-in?${new URLSearchParams({ again: '1', next: location.pathname.slice(base.length) })}`)
      const { cancelled = '', failed = '', wrongPassword = '' } = place.dataset
      const isPassword = error.details?.some(({ pointer }) => pointer === '/current_password')
      // Messages of the service are in English. A page in another language shows a sentence of its own.
      if (error.name === 'NotAllowedError') fault.textContent = cancelled
      else if (isPassword) fault.textContent = wrongPassword
      else fault.textContent = document.documentElement.lang === 'en' ? error.message : failed
      fault.hidden = false
    } finally {
      button.disabled = false
    }
  })
}
