import UAParser from 'ua-parser-js'
import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'
import { correctedDevice, perUserAgent } from '../../crawlers/index.ts'
import { text } from '../formats/text.ts'
import { BROWSERS, bySpelling, SYSTEMS } from './agent-names.ts'
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

/** Replacements for the parser's names that are unusual, or that split one browser in two. */
const browsers = bySpelling(BROWSERS, [
  ['Mobile Safari', 'Safari'],
  ['MobileSafari', 'Safari'],
  ['Mobile Chrome', 'Chrome'],
  ['Mobile Firefox', 'Firefox'],
  ['Opera Mobi', 'Opera'],
  ['Opera Tablet', 'Opera'],
  ['GSA', 'Google App'],
  ['IE', 'Internet Explorer'],
  ['IEMobile', 'Internet Explorer'],
  ['Yandex', 'Yandex Browser'],
])
const systems = bySpelling(SYSTEMS, [
  ['Mac OS', 'macOS'],
  ['Chromium OS', 'ChromeOS'],
  ['Chrome OS', 'ChromeOS'],
  ['Windows Phone OS', 'Windows Phone'],
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
    browser: named(browser.name, browsers),
    browser_version: browserVersionOf(browser.version ?? ''),
    os: named(os.name, systems),
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
