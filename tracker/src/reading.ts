/** Engaged time below this is not worth a request, in ms. */
const MIN_ENGAGED = 1000

/** Visible and focused; focus inside a frame of the page counts. */
export const isAttended = (): boolean => !document.hidden && document.hasFocus()

/** Measures the engaged time and scroll depth of the current page. */
export const createReading = () => {
  let engaged = 0
  let since = 0 // 0: not engaged now
  let seen = 0 // px from the top of the page
  let sent = 0 // percent

  const clock = (attended: boolean) => {
    const now = performance.now()
    if (since) engaged += now - since
    since = attended ? now : 0
  }

  return {
    clock,
    restart: () => {
      clock(isAttended())
      engaged = seen = sent = 0
    },
    look: () => {
      seen = Math.max(seen, scrollY + innerHeight)
    },
    /** Engagement not sent yet, if worth a request. Relative to the current height, because pages grow. */
    unsent: () => {
      const height = (document.scrollingElement || document.documentElement).scrollHeight || 1
      const sd = Math.min(100, Math.round((100 * seen) / height))
      if (sd <= sent && engaged < MIN_ENGAGED) return
      sent = Math.max(sd, sent)
      const e = Math.round(engaged)
      engaged = 0
      return { sd: sent, e }
    },
  }
}
