/** The script for pages with Matomo's tag: the queue `_paq`, and `https://HOST/matomo.js`. */
import { automated } from './automated.ts'
import { optOut, storedOptOut } from './foreign.ts'
import { attempt, on } from './listen.ts'
import { FILES, listed } from './settings.ts'

type Value = string | number | boolean | null | undefined
type Params = Record<string, Value>
type Method = (...args: never[]) => unknown
type Methods = Record<string, Method>
type Item = readonly [sku: string, name: Value, category: unknown, price: Value, quantity: Value]

/** Calls that count before others of the queue, wherever they are in it. */
const FIRST =
  /^(setTrackerUrl|setAPIUrl|setSiteId|setUserId|requireConsent|setConsentGiven|setDoNotTrack|setDomains|setDownloadExtensions|addDownloadExtensions|setCustomDimension)$/
const HEARTBEAT = 15

attempt(() => {
  const globals = window as unknown as Record<string, unknown>
  if (globals.Matomo) return
  const { currentScript } = document
  const src = currentScript instanceof HTMLScriptElement ? currentScript.src : location.href
  const own = Date.now()

  const create = (trackerUrl?: string, siteId?: string | number) => {
    let [url, site] = [trackerUrl || new URL('matomo.php', src).href, String(siteId ?? '')]
    let [page, referrer, title]: Array<string | undefined> = [undefined, undefined, undefined]
    let [user, needsConsent, hasConsent, respectsDnt] = ['', false, false, false]
    let hosts = [location.hostname]
    let extensions = listed(FILES)
    let isLinking = false
    const dimensions: Params = {}
    const variables: Record<string, Record<string, [string, string]>> = { visit: {}, page: {} }
    let items = new Map<string, Item>()
    let product: Params = {}
    let waiting: Params[] = []

    const isRefused = () => automated('matomo') || storedOptOut('matomo_ignore') || (respectsDnt && navigator.doNotTrack === '1')
    const post = (params: Params) => {
      const query = new URLSearchParams()
      for (const name of Object.keys(params)) {
        const value = params[name]
        if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
      }
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' }
      fetch(url, { method: 'POST', keepalive: true, credentials: 'omit', headers, body: String(query) }).catch(() => {})
    }
    const send = (params: Params) => {
      if (isRefused()) return
      const packed = (of: object) => (Object.keys(of).length ? JSON.stringify(of) : undefined)
      const all = Object.assign(
        {
          idsite: site,
          rec: 1,
          url: page || location.href,
          urlref: referrer === undefined ? document.referrer : referrer,
          res: screen.width + 'x' + screen.height,
          lang: navigator.language,
          uid: user,
          send_image: 0,
          rand: own,
          _cvar: packed(variables.visit || {}),
          cvar: packed(variables.page || {}),
        },
        dimensions,
        params,
      )
      if (needsConsent && !hasConsent) waiting.push(all)
      else post(all)
    }
    const ordered = () => JSON.stringify(Array.from(items.values()))
    const linkOf = (event: Event) =>
      event.composedPath().find((target): target is HTMLAnchorElement => target instanceof HTMLAnchorElement && target.href !== '')
    const follow = () => {
      if (isLinking) return
      isLinking = true
      const clicked = (event: MouseEvent) => {
        const link = linkOf(event)
        if (!link || !/^http/.test(link.protocol) || /(matomo|piwik)_ignore/.test(link.className)) return
        const extension = (link.pathname.split('.').pop() || '').toLowerCase()
        const isDownload = link.hasAttribute('download') || /(matomo|piwik)_download/.test(link.className) || extensions.includes(extension)
        const isOwn = hosts.some(host =>
          host.startsWith('*.') || host.startsWith('.') ? ('.' + link.hostname).endsWith(host.replace(/^\*/, '')) : host === link.hostname,
        )
        if (isDownload) send({ download: link.href })
        else if (!isOwn || /(matomo|piwik)_link/.test(link.className)) send({ link: link.href })
      }
      on('click', clicked)
      on('auxclick', clicked)
    }
    /** Blocks of content: `data-track-content`, or the class of the same meaning. */
    const contents = (within: ParentNode) =>
      within.querySelectorAll('[data-track-content], .matomoTrackContent, .piwikTrackContent').forEach(block => {
        const read = (name: string) => {
          const found = block.hasAttribute(name) ? block : block.querySelector(`[${name}]`)
          return found
            ? found.getAttribute(name) || (found instanceof HTMLAnchorElement ? found.href : found.getAttribute('src'))
            : undefined
        }
        const [piece, target] = [read('data-content-piece'), read('data-content-target')]
        send({ c_n: read('data-content-name') || piece || 'Unknown', c_p: piece || 'Unknown', c_t: target })
      })

    const methods = {
      setTrackerUrl: (to: string) => (url = to),
      setAPIUrl: () => {},
      setSiteId: (id: Value) => (site = String(id)),
      getSiteId: () => site,
      getTrackerUrl: () => url,
      setUserId: (id: Value) => (user = String(id ?? '')),
      getUserId: () => user,
      resetUserId: () => (user = ''),
      setCustomUrl: (to: string) => (page = new URL(to, location.href).href),
      getCurrentUrl: () => page || location.href,
      setReferrerUrl: (to: string) => (referrer = to),
      setDocumentTitle: (to: string) => (title = to),
      setDoNotTrack: (is: boolean) => (respectsDnt = is),
      setDomains: (list: string | string[]) =>
        (hosts = ([] as string[]).concat(list, location.hostname).map(host => host.replace(/\/.*$/, ''))),
      setDownloadExtensions: (list: string | string[]) =>
        (extensions = ([] as string[]).concat(typeof list === 'string' ? list.split('|') : list)),
      addDownloadExtensions: (list: string | string[]) =>
        (extensions = extensions.concat(typeof list === 'string' ? list.split('|') : list)),
      requireConsent: () => (needsConsent = true),
      setConsentGiven: () => {
        hasConsent = true
        waiting.forEach(post)
        waiting = []
      },
      rememberConsentGiven: () => methods.setConsentGiven(),
      forgetConsentGiven: () => {
        hasConsent = false
        needsConsent = true
      },
      hasConsent: () => !needsConsent || hasConsent,
      optUserOut: () => optOut('matomo_ignore', true),
      forgetUserOptOut: () => optOut('matomo_ignore', false),
      isUserOptedOut: () => storedOptOut('matomo_ignore'),
      trackPageView: (named?: string) => {
        const view = Object.assign({ action_name: named || title || document.title }, product)
        product = {}
        send(view)
      },
      trackEvent: (category: string, action: string, name?: Value, value?: Value) =>
        send({ e_c: category, e_a: action, e_n: name, e_v: value }),
      trackGoal: (id: Value, revenue?: Value) => send({ idgoal: id, revenue }),
      trackSiteSearch: (search: Value, category?: Value, count?: Value) =>
        send({ search, search_cat: category, search_count: count === false ? undefined : count }),
      trackLink: (to: string, kind: string) => send({ [kind === 'download' ? 'download' : 'link']: to }),
      enableLinkTracking: follow,
      trackRequest: (query: string) =>
        send(Object.assign({}, ...Array.from(new URLSearchParams(query), ([name, value]) => ({ [name]: value })))),
      ping: () => send({ ping: 1 }),
      enableHeartBeatTimer: (seconds?: number) => {
        setInterval(() => document.hasFocus() && send({ ping: 1 }), Math.max(5, seconds || HEARTBEAT) * 1000)
      },
      setCustomDimension: (id: Value, value: Value) => (dimensions['dimension' + id] = value),
      getCustomDimension: (id: Value) => dimensions['dimension' + id],
      deleteCustomDimension: (id: Value) => delete dimensions['dimension' + id],
      setCustomVariable: (index: Value, name: string, value: Value, scope?: string) => {
        const of = variables[scope || 'visit']
        if (of) of[String(index)] = [name, String(value)]
      },
      deleteCustomVariable: (index: Value, scope?: string) => delete (variables[scope || 'visit'] || {})[String(index)],
      setEcommerceView: (sku: Value, name?: Value, category?: unknown, price?: Value) =>
        (product = { _pks: sku, _pkn: name, _pkc: Array.isArray(category) ? category.join(', ') : String(category || ''), _pkp: price }),
      addEcommerceItem: (sku: string, name?: Value, category?: unknown, price?: Value, quantity?: Value) =>
        items.set(sku, [sku, name, category, price, quantity ?? 1]),
      removeEcommerceItem: (sku: string) => items.delete(sku),
      clearEcommerceCart: () => (items = new Map()),
      getEcommerceItems: () => Array.from(items.values()),
      trackEcommerceOrder: (id: Value, total: Value, subtotal?: Value, tax?: Value, shipping?: Value, discount?: Value) => {
        send({ idgoal: 0, ec_id: id, revenue: total, ec_st: subtotal, ec_tx: tax, ec_sh: shipping, ec_dt: discount, ec_items: ordered() })
        items = new Map()
      },
      trackEcommerceCartUpdate: (total: Value) => send({ idgoal: 0, revenue: total, ec_items: ordered() }),
      trackContentImpression: (name: string, piece?: Value, target?: Value) => send({ c_n: name, c_p: piece, c_t: target }),
      trackContentInteraction: (interaction: string, name: string, piece?: Value, target?: Value) =>
        send({ c_i: interaction, c_n: name, c_p: piece, c_t: target }),
      trackAllContentImpressions: () => contents(document),
      trackVisibleContentImpressions: () => contents(document),
      trackContentImpressionsWithinNode: (node: ParentNode) => contents(node),
    }
    /** Methods that are not here do nothing: cookies, plug-ins, and settings without a meaning. */
    return new Proxy(methods as unknown as Methods, { get: (of, name: string) => of[name] || (name === 'then' ? undefined : () => {}) })
  }

  const trackers: Methods[] = []
  const first = () => trackers[0] || (trackers[0] = create())
  const apply = (call: unknown) =>
    attempt(() => {
      if (typeof call === 'function') return call.call(first())
      const [method, ...args] = Array.from(call as ArrayLike<never>) as unknown as [string | Method, ...never[]]
      if (typeof method === 'function') method.apply(first(), args)
      else if (method === 'addTracker') trackers.push(create(...(args as unknown as [string, string])))
      else (trackers.length ? trackers : [first()]).forEach(tracker => attempt(() => tracker[method.replace(/^.*(::|\.)/, '')]?.(...args)))
    })
  const nameOf = (call: unknown) => (Array.isArray(call) && typeof call[0] === 'string' ? call[0] : '')

  const matomo = {
    initialized: true,
    getTracker: (url?: string, id?: string) => create(url, id),
    getAsyncTracker: first,
    getAsyncTrackers: () => trackers,
    addTracker: (url?: string, id?: string) => trackers[trackers.push(create(url, id)) - 1],
    on: () => {},
    off: () => {},
    trigger: () => {},
  }
  globals.Matomo = globals.Piwik = matomo
  const queue = (Array.isArray(globals._paq) ? globals._paq : []) as unknown[]
  queue.filter(call => FIRST.test(nameOf(call))).forEach(apply)
  queue.filter(call => !FIRST.test(nameOf(call))).forEach(apply)
  globals._paq = { push: (...calls: unknown[]) => calls.forEach(apply) }
  for (const ready of ['matomoAsyncInit', 'piwikAsyncInit']) {
    const call = globals[ready]
    if (typeof call === 'function') attempt(() => call())
  }
})
