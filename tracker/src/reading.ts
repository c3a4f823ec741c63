/** Less than this is not worth a request of its own, in ms. */
const WORTH_TELLING = 1000

/** Seen and in focus. A frame within the page that has the focus counts as the page. */
export const isAttended = (): boolean => !document.hidden && document.hasFocus()

/** How the open page is read: how long it was attended to, and how far down it was seen. */
export const createReading = () => {
  let engaged = 0
  let since = 0 // 0: not attended to now
  let seen = 0 // px from the top of the page
  let told = 0 // percent

  const clock = (attended: boolean) => {
    const now = performance.now()
    if (since) engaged += now - since
    since = attended ? now : 0
  }

  return {
    clock,
    restart: () => {
      clock(isAttended())
      engaged = seen = told = 0
    },
    look: () => {
      seen = Math.max(seen, scrollY + innerHeight)
    },
    /** What was not told before, if it is worth telling. The page's height is that of now: pages grow. */
    news: () => {
      const height = (document.scrollingElement || document.documentElement).scrollHeight || 1
      const sd = Math.min(100, Math.round(100 * seen / height))
      if (sd <= told && engaged < WORTH_TELLING) return
      told = Math.max(sd, told)
      const e = Math.round(engaged)
      engaged = 0
      return { sd: told, e }
    },
  }
}
