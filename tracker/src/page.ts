import { watchClicks } from './clicks.ts'
import { attempt, on } from './listen.ts'
import type { EventOptions } from './protocol.ts'
import { createReading, isAttended } from './reading.ts'
import type { Send } from './send.ts'
import type { Settings } from './settings.ts'

/** A single-page application moves the address first, then sets the title and scrolls to the top. In ms. */
const SETTLING = 300

/** The page that is open: it is viewed once, and tells what was learnt of its reading whenever it is left. */
export const createPage = (settings: Settings, send: Send) => {
  const reading = createReading()
  let url = ''
  let referrer = document.referrer
  let arrive: (() => void) | undefined
  let timer = 0

  /** Sends the view that waits for its page to settle, so that nothing of a page is told before its view. */
  const settle = () => {
    const arriving = arrive
    arrive = undefined
    clearTimeout(timer)
    if (arriving) arriving()
  }

  const takeClicks = settings.clicks ? watchClicks(() => tellClicks()) : () => []
  const tellClicks = () => {
    const c = takeClicks()
    if (url && c.length) send({ n: 'click', u: url, c })
  }

  const leave = () => {
    settle()
    reading.clock(false)
    const news = url && reading.news()
    if (news) send({ n: 'engagement', u: url, sd: news.sd, e: news.e })
    tellClicks()
  }

  const attend = () => isAttended() ? reading.clock(true) : leave()
  on('focus', attend)
  on('blur', attend)
  on('visibilitychange', attend)
  on('pagehide', leave)
  on('scroll', () => arrive || reading.look())

  /** Leaves the page before, whose address is the referrer of this one, for another, to be sent by `settle`. */
  const turn = (options: EventOptions) => {
    attempt(leave)
    referrer = url.split('#')[0] || referrer
    url = options.url || location.href
    attempt(reading.restart)
    arrive = () => {
      reading.look()
      send({
        n: 'pageview', u: url, r: referrer || undefined, p: options.props,
        w: innerWidth, sc: screen.width + 'x' + screen.height, l: navigator.language, t: document.title,
      }, options.callback)
    }
  }

  return {
    /** Another page is open, and complete. */
    view: (options: EventOptions = {}) => {
      turn(options)
      settle()
    },
    /** The address has moved, the page is about to follow. */
    move: () => {
      turn({})
      timer = setTimeout(settle, SETTLING)
    },
    /** Something happens on the page. */
    happen: (name: string, options: EventOptions = {}) => {
      settle()
      send({
        n: name, u: options.url || location.href, r: referrer || undefined, p: options.props, $: options.revenue,
        i: options.interactive === false ? false : undefined, vt: options.vitals,
      }, options.callback)
    },
  }
}
