export interface ClickId {
  readonly name: string
  /** Who adds it: the network itself, then those its advertisements also run on. */
  readonly sources: readonly [string, ...string[]]
  /** Whether only advertisements carry it. Facebook, Instagram and Pinterest mark every link. */
  readonly paid: boolean
}

const ad = (name: string, ...sources: ClickId['sources']): ClickId => ({ name, sources, paid: true })
const link = (name: string, ...sources: ClickId['sources']): ClickId => ({ name, sources, paid: false })

/** The parameters by which a network knows its clicks, those of advertisements first. */
const CLICK_IDS: readonly ClickId[] = Object.freeze([
  ad('gclid', 'Google', 'YouTube', 'Startpage', 'Ask', 'AOL'),
  ad('gbraid', 'Google', 'YouTube'),
  ad('wbraid', 'Google', 'YouTube'),
  ad('dclid', 'Google Display Network'),
  ad('msclkid', 'Bing', 'DuckDuckGo', 'Yahoo', 'AOL', 'MSN', 'Ecosia', 'Qwant'),
  ad('yclid', 'Yandex'),
  ad('ttclid', 'TikTok'),
  ad('twclid', 'Twitter'),
  ad('li_fat_id', 'LinkedIn'),
  ad('rdt_cid', 'Reddit'),
  ad('scclid', 'Snapchat'),
  link('epik', 'Pinterest'),
  link('fbclid', 'Facebook'),
  link('igshid', 'Instagram'),
])

/** The first click id in a query. Its value is a person's click and is not looked at. Snapchat writes `ScCid`. */
export function clickIdOf(query: URLSearchParams): ClickId | undefined {
  return CLICK_IDS.find(({ name }) => query.has(name) || (name === 'scclid' && query.has('ScCid')))
}
