/** Runs one step. If the page has removed or frozen what it needs, only that step fails, and the page sees no error. */
export const attempt = (step: () => void): void => {
  try {
    step()
  } catch {}
}

/** Listens in the capture phase of the window, so that pages that stop propagation are measured too. */
export const on = <T extends keyof WindowEventMap>(type: T, handle: (event: WindowEventMap[T]) => void): void =>
  addEventListener(type, event => attempt(() => handle(event)), true)

/** Runs `start` once the page is visible. A prerendered page or a background tab may never be. */
export const whenVisible = (start: () => void): void =>
  document.hidden ? document.addEventListener('visibilitychange', start, { once: true }) : start()
