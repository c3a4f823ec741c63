export interface ClickId {
  readonly name: string
  /** Networks that add the parameter: its own, then those that also show its ads. */
  readonly sources: readonly [string, ...string[]]
  /** Whether only ads have the parameter. Facebook, Instagram and Pinterest mark every link. */
  readonly paid: boolean
}

const ad = (name: string, ...sources: ClickId['sources']): ClickId => ({ name, sources, paid: true })
const link = (name: string, ...sources: ClickId['sources']): ClickId => ({ name, sources, paid: false })

/** Click parameters of networks, with ads first. */
const CLICK_IDS: readonly ClickId[] = Object.freeze([
  ad('gclid', 'Google', 'YouTube', 'Startpage', 'Ask', 'AOL'),
  ad('gbraid', 'Google', 'YouTube'),
  ad('wbraid', 'Google', 'YouTube'),
  ad('gad_source', 'Google', 'YouTube'),
  ad('gad_campaignid', 'Google', 'YouTube'),
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
  link('igsh', 'Instagram'),
])

const positions: ReadonlyMap<string, number> = new Map([
  ...CLICK_IDS.map(({ name }, i) => [name, i] as const),
  ['ScCid', CLICK_IDS.findIndex(({ name }) => name === 'scclid')],
])

/** Finds the first click id in a query. Never reads its value, which identifies a click of a person. Snapchat writes `ScCid`. */
export function clickIdOf(query: URLSearchParams): ClickId | undefined {
  let first = CLICK_IDS.length
  for (const name of query.keys()) first = Math.min(first, positions.get(name) ?? first)
  return CLICK_IDS[first]
}
