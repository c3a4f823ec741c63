/**
 * Client hints (https://wicg.github.io/ua-client-hints): what browsers of the Chromium family say about themselves in addition to a user
 * agent that is the same for many of them.
 */
import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'
import { perUserAgent } from '../../crawlers/index.ts'
import { text } from '../formats/text.ts'
import type { Agent } from './user-agent.ts'
import { systemVersionOf } from './versions.ts'

/** Headers of a request, in one text; '' if the browser sends none. */
export type ClientHints = string

const HEADERS = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-ch-ua-platform-version', 'sec-ch-ua-form-factors'] as const
/** Longest text of a header that is read. */
const MAX_READ = 300

/** Reads the headers of a request. */
export function clientHintsIn(header: (name: string) => string | undefined): ClientHints {
  const brands = header('sec-ch-ua')
  if (brands === undefined) return ''
  return HEADERS.map(name => (header(name) ?? '').slice(0, MAX_READ)).join('\n')
}

interface Hints {
  /** Name and major version. */
  readonly browser: readonly [name: string, version: string] | null
  readonly system: string
  readonly systemVersion: string
  readonly device: Device | ''
  readonly isAutomated: boolean
}

/** Names of brands that differ from their names in reports. */
const BROWSERS = new Map([
  ['Google Chrome', 'Chrome'],
  ['Microsoft Edge', 'Edge'],
  ['YaBrowser', 'Yandex Browser'],
  ['Yandex', 'Yandex Browser'],
  ['Android WebView', 'Chrome WebView'],
  ['Microsoft Edge WebView2', 'Edge'],
  ['OperaGX', 'Opera GX'],
  ['Opera GX', 'Opera GX'],
])
const SYSTEMS = new Map([
  ['Chrome OS', 'ChromeOS'],
  ['Chromium OS', 'ChromeOS'],
])
const FORM_FACTORS = new Map<string, Device>([
  ['Tablet', 'tablet'],
  ['Mobile', 'mobile'],
  ['Desktop', 'desktop'],
  ['Watch', 'wearable'],
  ['XR', 'wearable'],
  ['EInk', 'tablet'],
])
/** Devices that a user agent only suggests: that of a phone may name none. */
const GUESSED: ReadonlySet<Device | ''> = new Set(['', 'mobile', 'tablet', 'desktop'] as const)
/** The first major version that Windows 11 sends (https://learn.microsoft.com/microsoft-edge/web-platform/how-to-detect-win11). */
const WINDOWS_11 = 13

const BRAND = /"([^"\\]{1,60})"\s*;\s*v="(\d{1,5})/g
/** Invented brands that browsers add: `Not/A)Brand`, `Not;A=Brand`. */
const INVENTED = /not[\W_]?a[\W_]?brand/i

const hintsOf = perUserAgent((hints): Hints => {
  const [brands = '', mobile = '', platform = '', version = '', factors = ''] = hints.split('\n')
  const named = [...brands.matchAll(BRAND)].map(([, name = '', of = '']) => [name, of] as const)
  const own = named.find(([name]) => name !== 'Chromium' && name !== 'Google Chrome' && !INVENTED.test(name))
  const chrome = named.find(([name]) => name === 'Google Chrome')
  const found = own ?? chrome
  const system = text(/^"([^"\\]{1,40})"$/.exec(platform)?.[1])
  const factor = /"(\w+)"/.exec(factors)?.[1] ?? ''
  return Object.freeze({
    browser: found ? ([BROWSERS.get(found[0]) ?? text(found[0], 100), found[1]] as const) : null,
    system: system === 'Unknown' ? '' : (SYSTEMS.get(system) ?? system),
    systemVersion: /^"([\d.]{1,20})"$/.exec(version)?.[1] ?? '',
    device: FORM_FACTORS.get(factor) ?? (system === 'Android' && mobile !== '' ? (mobile === '?1' ? 'mobile' : 'tablet') : ''),
    isAutomated: named.some(([name]) => /headless/i.test(name)),
  })
})

/** Whether the browser says that a program drives it. */
export const isAutomated = (hints: ClientHints): boolean => hints !== '' && hintsOf(hints).isAutomated

/** An agent with what the hints know better. They are believed if they fit the user agent: a browser of the Chromium family. */
export function hinted(agent: Agent, hints: ClientHints): Agent {
  if (hints === '') return agent
  const { browser, system, systemVersion, device } = hintsOf(hints)
  const isChrome = agent.browser === 'Chrome' && browser !== null
  const isSystem = system !== '' && (agent.os === '' || system === agent.os || agent.os === 'Linux')
  const version = systemVersion === '' || !isSystem ? agent.os_version : versionOf(system, systemVersion, agent.os_version)
  return {
    browser: isChrome ? browser[0] : agent.browser,
    browser_version: isChrome ? browser[1] : agent.browser_version,
    os: isSystem ? system : agent.os,
    os_version: version,
    device: device !== '' && GUESSED.has(agent.device) ? device : agent.device,
  }
}

/** The version of a system: Windows counts otherwise than it is called. */
function versionOf(system: string, sent: string, known: string): string {
  const major = Number(sent.split('.', 1)[0])
  if (system === 'Windows') return major >= WINDOWS_11 ? '11' : major > 0 ? '10' : known
  return systemVersionOf(sent) || known
}
