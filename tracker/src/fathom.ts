/** The script for pages with Fathom's tag: `<script defer data-site="…" src="https://HOST/script.js">`. */
import { automated } from './automated.ts'
import { open, optOut, storedOptOut, tagWith } from './foreign.ts'
import { attempt } from './listen.ts'
import { readSettings, type Settings } from './settings.ts'

declare global {
  interface Window {
    fathom?: object
  }
}

type Where = Readonly<{ url?: string; referrer?: string }>
const OPT_OUT = 'blockFathomTracking'

attempt(() => {
  const tag = tagWith('data-site')
  if (!tag || window.fathom) return
  const read = (name: string) => tag.getAttribute('data-' + name) || ''
  const listed = (name: string) =>
    read(name)
      .split(',')
      .map(host => host.trim())
      .filter(host => host)
  const [included, excluded] = [listed('included-domains'), listed('excluded-domains')]
  const isOurs = (site: string) => /^pa_|\./.test(site)
  const canonical = () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"][href]')
    return read('canonical') !== 'false' && link && new URL(link.href).host === location.host ? link.href : undefined
  }
  const settings: Settings = Object.assign(readSettings(tag), {
    domain: isOurs(read('site')) ? read('site') : undefined,
    manual: true,
    hash: read('spa') === 'hash',
    dnt: read('honor-dnt') === 'true',
    refused: () => {
      if (storedOptOut(OPT_OUT)) return 'localStorage.' + OPT_OUT + ' is set'
      if ((included.length && !included.includes(location.hostname)) || excluded.includes(location.hostname))
        return 'the domain is excluded'
      return automated('fathom')
    },
  })
  const isAuto = read('auto') !== 'false'
  const isSpa = /^(auto|history|hash)$/.test(read('spa'))
  const withPage = open('fathom', settings, { follows: isAuto && isSpa })
  const goal = (name: string, cents?: unknown) =>
    withPage(page => page.event(name, { revenue: cents ? { amount: Number(cents) / 100, currency: 'XXX' } : undefined } as never))

  const fathom = {
    trackPageview: ({ url }: Where = {}) => withPage(page => page.view({ url: url || canonical() } as never)),
    trackEvent: (name: string, { _value }: { _value?: unknown } = {}) => goal(name, _value),
    trackGoal: (code: string, cents?: unknown) => goal(code, cents),
    setSite: (site: string) => {
      Reflect.set(settings, 'domain', isOurs(site) ? site : undefined)
    },
    blockTrackingForMe: () => optOut(OPT_OUT, true),
    enableTrackingForMe: () => optOut(OPT_OUT, false),
    isTrackingEnabled: () => !settings.refused(),
  }
  window.fathom = fathom
  if (isAuto) fathom.trackPageview()
})
