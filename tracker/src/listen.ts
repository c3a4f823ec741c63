/** Runs one step. What a page took away or froze costs that step alone, and is never the page's to hear of. */
export const attempt = (step: () => void): void => {
  try {
    step()
  } catch {}
}

/** Listens on the window while the event is captured: a page that stops its propagation is measured all the same. */
export const on = <T extends keyof WindowEventMap>(type: T, handle: (event: WindowEventMap[T]) => void): void =>
  addEventListener(type, (event) => attempt(() => handle(event)), true)

/** Runs `start` once the page is seen: a prerendered page, or a tab opened behind, may never be. */
export const whenVisible = (start: () => void): void =>
  document.hidden ? document.addEventListener('visibilitychange', start, { once: true }) : start()
