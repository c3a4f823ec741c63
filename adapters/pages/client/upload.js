/**
 * Uploads a file from the page of the record that waits for it, in pieces, so that a broken connection costs one piece.
 * The form that creates such a record has a file chooser. Without scripts, the user types the name of the file, and the
 * page says how to send it from a terminal.
 */
import { whenShown } from './shown.js'
import { show } from './swap.js'

/** Bytes of a piece. The first piece fits through a proxy with default settings (1 MB with nginx). */
const FIRST = 512 * 1024
const MOST = 4 * 1024 * 1024
const LEAST = 16 * 1024
/** Pauses before a piece is tried again, in seconds. */
const pauses = [1, 2, 5, 10, 20]

/** File that was chosen in a form, for the page that the form leads to. @type {File | undefined} */
let chosen

whenShown(root => {
  for (const field of root.querySelectorAll('[data-of-file]')) {
    const [file, name] = [field.querySelector('input[type=file]'), field.querySelector('input[name]')]
    if (!(file instanceof HTMLInputElement) || !(name instanceof HTMLInputElement) || !file.parentElement || !name.parentElement) continue
    file.parentElement.hidden = false
    // For another file of the same kind, a name that is already typed stays visible.
    name.parentElement.hidden = name.value === ''
    const take = () => {
      chosen = file.files?.[0]
      if (!chosen) return
      name.value = chosen.name
      name.parentElement?.setAttribute('hidden', '')
    }
    if (chosen && chosen.name === name.value) {
      keep(file, chosen)
      take()
    } else chosen = undefined
    file.addEventListener('change', take)
    // A full load of the next page would lose the chosen file.
    field.closest('form')?.addEventListener('submit', event => {
      const form = event.currentTarget
      if (!chosen || !(form instanceof HTMLFormElement)) return
      event.preventDefault()
      const sent = [...new FormData(form)].flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : []))
      show(form.action, true, new URLSearchParams(sent)).catch(() => form.submit())
    })
  }
})

whenShown(root => {
  for (const part of root.querySelectorAll('[data-upload]')) {
    const file = part.querySelector('input[type=file]')
    if (!(part instanceof HTMLElement) || !(file instanceof HTMLInputElement)) continue
    for (const each of part.querySelectorAll('[data-scripted]')) each.removeAttribute('hidden')
    file.addEventListener('change', () => file.files?.[0] && void upload(part, file, file.files[0]))
    if (chosen && chosen.name === part.dataset.filename) void upload(part, file, chosen)
    chosen = undefined
  }
})

/** Puts a file that was chosen on another page into the chooser of this page. @param {HTMLInputElement} input @param {File} file */
function keep(input, file) {
  const list = new DataTransfer()
  list.items.add(file)
  input.files = list.files
}

/** @param {HTMLElement} part @param {HTMLInputElement} input @param {File} file */
async function upload(part, input, file) {
  const { upload: url = '', received = '0', total = '', sending = '', other = '', broken = '', tooLarge = '' } = part.dataset
  const [bar, told, form] = [part.querySelector('progress'), part.querySelector('[role=status]'), part.querySelector('form')]
  if (!bar || !told || !form) return
  const ending = (/** @type {string} */ name) => name.split('.').at(-1)?.toLowerCase()
  if (ending(file.name) !== ending(part.dataset.filename ?? '')) {
    told.textContent = other
    return
  }
  keep(input, file)
  input.disabled = true
  bar.hidden = false
  // An upload of the same file continues where it stopped. Another file replaces the received bytes.
  let at = Number(total) === file.size ? Number(received) : 0
  const pieces = sizes()
  const size = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
  try {
    while (at < file.size) {
      const share = at / file.size
      bar.value = share
      told.textContent = sending.replace('{share}', size.format(share))
      at = await sent(url, file, at, pieces)
      if (!part.isConnected) return
    }
    bar.value = 1
    told.textContent = sending.replace('{share}', size.format(1))
    form.requestSubmit()
  } catch (thrown) {
    told.textContent = thrown instanceof TooLarge ? tooLarge : thrown instanceof Refused ? thrown.message : broken
    part.dataset.received = String(at)
    part.dataset.total = String(file.size)
    input.disabled = false
    input.value = ''
  }
}

/** The service refused the file: sending it again would change nothing. */
class Refused extends Error {}

/** A proxy in front refuses even the smallest piece. */
class TooLarge extends Error {}

/** Chooses sizes of pieces: doubles the size after each accepted piece, and never repeats a refused size. */
function sizes() {
  let [size, most, proven] = [FIRST, MOST, 0]
  return {
    next: () => size,
    /** @param {number} bytes */
    came(bytes) {
      proven = Math.max(proven, bytes)
      if (bytes === size) size = Math.min(size * 2, most)
    },
    /** @param {number} bytes @returns {boolean} whether a smaller piece may be accepted */
    refused(bytes) {
      size = most = Math.max(LEAST, Math.floor(bytes / 2))
      return bytes > LEAST
    },
    /** A proxy may close the connection instead of answering. @param {number} bytes */
    broke(bytes) {
      if (bytes > proven) this.refused(bytes)
    },
  }
}

/**
 * @param {string} url @param {File} file @param {number} from @param {ReturnType<typeof sizes>} pieces
 * @returns {Promise<number>} the number of received bytes
 */
async function sent(url, file, from, pieces) {
  const waits = [...pauses, 0]
  while (waits.length > 0) {
    const to = Math.min(from + pieces.next(), file.size)
    let pause = waits[0] ?? 0
    try {
      const answer = await fetch(url, {
        method: 'PUT',
        headers: { 'Content-Range': `bytes ${from}-${to - 1}/${file.size}` },
        body: file.slice(from, to),
      })
      const { data, error } = await answer.json().catch(() => ({}))
      if (data && data.received > from) {
        pieces.came(to - from)
        return data.received
      }
      // A 413 of the service itself has a message, and applies to the whole file.
      if (answer.status === 413 && !error) {
        if (!pieces.refused(to - from)) throw new TooLarge()
        continue
      }
      if (answer.status === 429) pause = Number(answer.headers.get('Retry-After')) || pause
      else waits.shift()
      // For half a minute after a broken connection, its piece still counts as in progress, and the service answers 422.
      if (error && answer.status < 500 && answer.status !== 422 && answer.status !== 429) throw new Refused(error.message)
      if (pause === 0) throw error ? new Refused(error.message) : new Error(`answered ${answer.status}`)
    } catch (thrown) {
      if (thrown instanceof Refused || thrown instanceof TooLarge || pause === 0) throw thrown
      waits.shift()
      pieces.broke(to - from)
    }
    await new Promise(resolve => setTimeout(resolve, pause * 1_000))
  }
  return from
}
