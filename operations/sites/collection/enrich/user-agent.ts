import UAParser from 'ua-parser-js'
import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'
import { correctedDevice, perUserAgent } from '../../crawlers/index.ts'
import { text } from '../formats/text.ts'
import { browserVersionOf, systemVersionOf } from './versions.ts'

export interface Agent {
  readonly browser: string
  /** Major version. */
  readonly browser_version: string
  readonly os: string
  /** Major and minor version: "17.4", "10.15", "10". */
  readonly os_version: string
  /** '' if the user agent names neither browser nor system. */
  readonly device: Device | ''
}

/** Names that the parser copies from the user agent, which writes some of them differently: `KAIOS`, `WEBOS`, `android`. */
const spelled = (names: string) => names.split(' | ').map(name => [name.toLowerCase(), name] as const)

/** By lower case. Also replacements for the parser's names that are unusual, or that split one browser in two. */
const BROWSERS = new Map([
  ...spelled('Avant | Bolt | Brave | Chrome | Conkeror | Edge | Firefox | Instagram | KAKAOTALK | Maxthon | Obigo | Opera | Opera Mini'),
  ...spelled('Polaris | Puffin | Safari | Silk | UP.Browser | Vivaldi | WebKit | weibo'),
  ['mobile safari', 'Safari'],
  ['mobilesafari', 'Safari'],
  ['mobile chrome', 'Chrome'],
  ['mobile firefox', 'Firefox'],
  ['opera mobi', 'Opera'],
  ['opera tablet', 'Opera'],
  ['gsa', 'Google App'],
  ['ie', 'Internet Explorer'],
  ['iemobile', 'Internet Explorer'],
  ['yandex', 'Yandex Browser'],
])
const SYSTEMS = new Map([
  ...spelled('Android | Bada | BlackBerry | Debian | Fedora | HarmonyOS | iOS | KaiOS | Linux | NETRANGE | NETTV | PlayStation | Tizen'),
  ...spelled('Ubuntu | VIERA | webOS | Windows | Xbox'),
  ['mac os', 'macOS'],
  ['chromium os', 'ChromeOS'],
  ['chrome os', 'ChromeOS'],
  ['windows phone os', 'Windows Phone'],
])
const DEVICES_OF_PARSER = new Map<string | undefined, Device>([
  ['mobile', 'mobile'],
  ['tablet', 'tablet'],
  ['smarttv', 'tv'],
  ['console', 'console'],
  ['wearable', 'wearable'],
  ['embedded', 'embedded'],
])

/** Browser, system and device of a user agent; '' if unknown. */
export const parseUserAgent = perUserAgent((userAgent): Agent => {
  const parser = new UAParser(userAgent)
  const [browser, os] = [parser.getBrowser(), parser.getOS()]
  return Object.freeze({
    browser: named(browser.name, BROWSERS),
    browser_version: browserVersionOf(browser.version ?? ''),
    os: named(os.name, SYSTEMS),
    os_version: systemVersionOf(os.version ?? ''),
    device: correctedDevice(userAgent) ?? DEVICES_OF_PARSER.get(parser.getDevice().type) ?? otherwise(os.name ?? browser.name),
  })
})

/** The device of a user agent that names only its browser or system. */
function otherwise(known: string | undefined): Device | '' {
  if (known === undefined) return ''
  return known === 'Android' ? 'mobile' : 'desktop'
}

function named(name: string | undefined, names: ReadonlyMap<string, string>): string {
  return names.get(name?.toLowerCase() ?? '') ?? text(name, 100)
}
