/** Reads a text file into its field. People can check it there, and it is sent with the form. */
import { whenShown } from './shown.js'

whenShown(root => {
  for (const part of root.querySelectorAll('[data-from-file]')) {
    const [file, field, told] = [
      part.querySelector('input[type=file]'),
      part.querySelector('textarea'),
      part.querySelector('[role=status]'),
    ]
    if (!(part instanceof HTMLElement) || !(file instanceof HTMLInputElement) || !file.parentElement || !field || !told) continue
    file.parentElement.hidden = false
    file.addEventListener('change', async () => {
      const chosen = file.files?.[0]
      if (!chosen) return
      const { text, wrong } = await read(chosen, part.dataset)
      told.classList.toggle('fault', wrong !== undefined)
      told.textContent = wrong ?? (part.dataset.read ?? '').replace('{name}', chosen.name)
      if (text === undefined) {
        file.value = ''
        return
      }
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
  }
})

/**
 * @param {File} file
 * @param {DOMStringMap} limits and what is said where they are passed
 * @returns {Promise<{ text?: string, wrong?: string }>}
 */
async function read(file, { bytes = '', lines, large = '', long = '', unread = '' }) {
  const { format } = new Intl.NumberFormat(document.documentElement.lang)
  const filled = (/** @type {string} */ said, /** @type {number} */ count, /** @type {string} */ most) =>
    said.replace('{count}', format(count)).replace('{most}', format(Number(most)))
  if (file.size > Number(bytes)) return { wrong: filled(large, file.size, bytes) }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (text.includes('\0')) return { wrong: unread }
    const count = text.split('\n').filter(line => line.trim() !== '').length
    return lines !== undefined && count > Number(lines) ? { wrong: filled(long, count, lines) } : { text }
  } catch {
    return { wrong: unread }
  }
}
