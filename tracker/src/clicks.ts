import { on } from './listen.ts'
import type { Click } from './protocol.ts'

const BATCH = 20
const SELECTOR_LENGTH = 200
const X_SCALE = 10_000

/** A selector from the nearest id that looks hand-written, by tags and positions only: no text or values. */
const selectorOf = (element: Element | null) => {
  const steps: string[] = []
  for (let node = element; node; node = node.parentElement) {
    if (/^[a-z][\w-]*$/i.test(node.id)) {
      steps.unshift('#' + node.id)
      break
    }
    const { localName } = node
    const like = Array.from(node.parentElement ? node.parentElement.children : []).filter(sibling => sibling.localName === localName)
    steps.unshift(like.length > 1 ? `${localName}:nth-of-type(${like.indexOf(node) + 1})` : localName)
  }
  while (steps.join('>').length > SELECTOR_LENGTH) steps.shift()
  return steps.join('>')
}

/** Records positions of clicks; calls `full` when there is a batch to send. */
export const watchClicks = (full: () => void) => {
  const clicks: Click[] = []
  on('click', event => {
    // Clicks by keyboard or script have no position.
    if (!event.isTrusted || !event.detail || !(event.target instanceof Element)) return
    const share = event.pageX / document.documentElement.scrollWidth
    clicks.push({
      s: selectorOf(event.target),
      x: Math.round(X_SCALE * Math.min(1, Math.max(0, share))),
      y: Math.max(0, Math.round(event.pageY)),
    })
    if (clicks.length >= BATCH) full()
  })
  /** Returns the clicks since the last call. */
  return () => clicks.splice(0)
}
