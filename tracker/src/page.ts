import { attempt, on } from './listen.ts'
import type { EventOptions } from './protocol.ts'
import { createReading, isAttended } from './reading.ts'
import type { Send } from './send.ts'
import type { PageSettings } from './settings.ts'

/** Single-page applications change the address first, then set the title and scroll to the top. In ms. */
const SETTLING = 300
/** A query that is typed letter by letter is one page, once nothing has changed for this long. In ms. */
const TYPING = 1000

/** The current page: one pageview, and an engagement signal whenever it is left. */
export const createPage = (settings: PageSettings, send: Send) => {
  const reading = createReading()
  let url = ''
  let referrer = document.referrer
  let arrive: (() => void) | undefined
  let timer = 0 // 0: settled
  let isTyping = false

  const propsOf = (event: string, { props }: EventOptions) => (settings.props ? Object.assign({}, settings.props(event), props) : props)

  /** Sends a pending pageview, so that nothing about a page is sent before its pageview. */
  const settle = () => {
    const arriving = arrive
    arrive = undefined
    if (arriving) arriving()
  }

  const newClicks = settings.clicks ? settings.clicks(() => sendClicks()) : () => []
  const sendClicks = () => {
    const c = newClicks()
    if (url && c.length) send({ n: 'click', u: url, c })
  }

  const leave = () => {
    settle()
    reading.clock(false)
    const unsent = url && reading.unsent()
    if (unsent) send({ n: 'engagement', u: url, sd: unsent.sd, e: unsent.e })
    sendClicks()
  }

  const attend = () => (isAttended() ? reading.clock(true) : leave())
  on('focus', attend)
  on('blur', attend)
  on('visibilitychange', attend)
  on('pagehide', leave)
  on('scroll', () => arrive || reading.look())

  /** Leaves the current page, whose URL becomes the referrer; `settle` sends the next pageview. */
  const open = (options: EventOptions) => {
    attempt(leave)
    referrer = url.split('#')[0] || referrer
    url = options.url || location.href
    attempt(reading.restart)
    arrive = () => {
      reading.look()
      send(
        {
          n: 'pageview',
          u: url,
          r: referrer || undefined,
          p: propsOf('pageview', options),
          w: innerWidth,
          sc: screen.width + 'x' + screen.height,
          l: navigator.language,
          t: document.title,
        },
        options.callback,
      )
    }
  }

  return {
    /** The page has loaded, with its title. */
    view: (options: EventOptions = {}) => {
      open(options)
      settle()
    },
    /** The URL has changed; title and content follow. */
    move: (isReplaced: boolean, isQuery: boolean) => {
      // Until it has settled, a page goes on: it redirects, or its query is being typed. An event may have sent it already.
      const goesOn = timer && (isReplaced || isQuery)
      if (!goesOn && isReplaced && isQuery) return // the same page
      clearTimeout(timer)
      if (!goesOn) {
        open({})
        isTyping = isQuery
      } else {
        if (arrive) url = location.href
        if (!isReplaced) isTyping = true
      }
      timer = setTimeout(
        () => {
          timer = 0
          settle()
        },
        isTyping ? TYPING : SETTLING,
      )
    },
    /** A custom event on the page. */
    event: (name: string, options: EventOptions = {}) => {
      settle()
      send(
        {
          n: name,
          u: options.url || location.href,
          r: referrer || undefined,
          p: propsOf(name, options),
          $: options.revenue,
          i: options.interactive === false ? false : undefined,
          vt: options.vitals,
        },
        options.callback,
      )
    },
  }
}
