/** The demo's visitors: their places, sources and devices. */
import { acquisitionOf } from '../../operations/sites/collection/enrich/acquisition.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { weighted, type Weighted } from './chance.ts'

export const domain = 'garden.example.com'

type Visit = NewHit['visit']
type Found = Pick<Visit, 'channel' | 'source' | 'referrer' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_content' | 'utm_term'>

export interface Arrival {
  readonly found: Found
  /** Page or kind of page that they enter on. */
  readonly landing: Weighted<string>
  /** Relative to the average: how long visits are, and how often they buy. */
  readonly interest: number
  /** Relative number of visits from this source; today is day 0. */
  share(daysAgo: number): number
}

const shop = weighted([
  ['/', 40],
  ['shelf', 30],
  ['product', 30],
])
const reading = weighted([
  ['article', 75],
  ['guide', 15],
  ['/', 10],
])
const anything = weighted([
  ['/', 30],
  ['article', 32],
  ['product', 16],
  ['shelf', 12],
  ['guide', 10],
])

interface ArrivalInput {
  readonly referrer: string
  readonly query: string
  readonly landing: Weighted<string>
  readonly interest: number
  readonly share: number | ((daysAgo: number) => number)
}

const arrival = ({ referrer, query, landing, interest, share }: ArrivalInput): Arrival => {
  const { click_id: _, ...found } = acquisitionOf({ referrer, hostname: domain, query: new URLSearchParams(query) })
  return { found, landing, interest, share: typeof share === 'number' ? () => share : share }
}
/** A campaign between two days. */
const during = (from: number, to: number, share: number) => (daysAgo: number) => (daysAgo <= from && daysAgo >= to ? share : 0)
const growing = (from: number, to: number) => (daysAgo: number) => to + ((from - to) * Math.min(730, daysAgo)) / 730

export const arrivals: readonly Arrival[] = [
  arrival({ referrer: '', query: '', landing: anything, interest: 1.1, share: 24 }),
  arrival({ referrer: 'https://www.google.com/', query: '', landing: anything, interest: 1, share: 30 }),
  arrival({ referrer: 'https://www.bing.com/search', query: '', landing: anything, interest: 1, share: 4 }),
  arrival({ referrer: 'https://duckduckgo.com/', query: '', landing: reading, interest: 1, share: growing(1, 4) }),
  arrival({ referrer: 'https://chatgpt.com/', query: '', landing: reading, interest: 1.3, share: growing(0, 7) }),
  arrival({ referrer: 'https://www.perplexity.ai/', query: '', landing: reading, interest: 1.2, share: growing(0, 2.5) }),
  arrival({ referrer: 'https://www.pinterest.com/pin/1', query: '', landing: reading, interest: 0.7, share: 5 }),
  arrival({ referrer: 'https://www.instagram.com/', query: '', landing: shop, interest: 0.8, share: growing(3, 6) }),
  arrival({ referrer: 'https://m.facebook.com/', query: '', landing: anything, interest: 0.7, share: growing(7, 3) }),
  arrival({ referrer: 'https://www.reddit.com/r/gardening/comments/1', query: '', landing: reading, interest: 0.6, share: 3 }),
  arrival({ referrer: 'https://www.youtube.com/watch', query: '', landing: reading, interest: 0.8, share: 2 }),
  arrival({
    referrer: 'https://news.ycombinator.com/item',
    query: '',
    landing: weighted([['/journal/sharpen-a-spade', 1]]),
    interest: 0.3,
    share: during(96, 94, 70),
  }),
  arrival({ referrer: 'https://almanac.example.org/links/tools', query: '', landing: reading, interest: 1.2, share: 3 }),
  arrival({ referrer: 'https://allotments.example.net/forum/42', query: '', landing: reading, interest: 1.1, share: 2 }),
  arrival({
    referrer: '',
    query: 'utm_source=newsletter&utm_medium=email&utm_campaign=monthly-letter',
    landing: shop,
    interest: 2,
    share: daysAgo => (daysAgo % 30 < 3 ? 16 : 1.5),
  }),
  arrival({
    referrer: 'https://www.google.com/',
    query: 'utm_source=google&utm_medium=cpc&utm_campaign=spring-tools&utm_term=garden+spade&gclid=1',
    landing: shop,
    interest: 1.5,
    share: growing(3, 6),
  }),
  arrival({
    referrer: 'https://www.instagram.com/',
    query: 'utm_source=instagram&utm_medium=paid_social&utm_campaign=balcony&utm_content=video',
    landing: shop,
    interest: 1,
    share: during(240, 150, 9),
  }),
  arrival({
    referrer: '',
    query: 'utm_source=partner&utm_medium=affiliate&utm_campaign=almanac',
    landing: shop,
    interest: 1.6,
    share: 1.5,
  }),
  arrival({
    referrer: 'https://www.google.com/',
    query: 'utm_source=google&utm_medium=cpc&utm_campaign=black-friday&gclid=1',
    landing: weighted([['/sale', 1]]),
    interest: 2.2,
    share: during(365, 355, 14),
  }),
  arrival({
    referrer: 'https://www.facebook.com/',
    query: 'utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn-sale&utm_content=carousel',
    landing: weighted([['/sale', 1]]),
    interest: 1.4,
    share: during(12, 0, 11),
  }),
]

/** Country, region, city, language, and hours between the visitor's and the site's time. */
export type Place = Pick<Visit, 'country' | 'region' | 'city' | 'language'> & { readonly hours: number }
interface PlaceInput {
  readonly country: string
  readonly region: string
  readonly city: string
  readonly language: string
  readonly hours: number
}

const place = ({ country, region, city, language, hours }: PlaceInput): Place => ({
  country,
  region,
  city,
  language,
  hours,
})

export const places = weighted<Place>([
  [place({ country: 'DE', region: 'DE-BE', city: 'Berlin', language: 'de', hours: 0 }), 14],
  [place({ country: 'DE', region: 'DE-BY', city: 'Munich', language: 'de', hours: 0 }), 10],
  [place({ country: 'DE', region: 'DE-HH', city: 'Hamburg', language: 'de', hours: 0 }), 8],
  [place({ country: 'DE', region: 'DE-NW', city: 'Cologne', language: 'de', hours: 0 }), 9],
  [place({ country: 'AT', region: 'AT-9', city: 'Vienna', language: 'de', hours: 0 }), 6],
  [place({ country: 'CH', region: 'CH-ZH', city: 'Zurich', language: 'de', hours: 0 }), 5],
  [place({ country: 'FR', region: 'FR-IDF', city: 'Paris', language: 'fr', hours: 0 }), 7],
  [place({ country: 'FR', region: 'FR-ARA', city: 'Lyon', language: 'fr', hours: 0 }), 3],
  [place({ country: 'NL', region: 'NL-NH', city: 'Amsterdam', language: 'nl', hours: 0 }), 5],
  [place({ country: 'GB', region: 'GB-ENG', city: 'London', language: 'en', hours: -1 }), 8],
  [place({ country: 'GB', region: 'GB-SCT', city: 'Edinburgh', language: 'en', hours: -1 }), 2],
  [place({ country: 'IE', region: 'IE-L', city: 'Dublin', language: 'en', hours: -1 }), 2],
  [place({ country: 'ES', region: 'ES-MD', city: 'Madrid', language: 'es', hours: 0 }), 3],
  [place({ country: 'IT', region: 'IT-25', city: 'Milan', language: 'it', hours: 0 }), 3],
  [place({ country: 'PL', region: 'PL-14', city: 'Warsaw', language: 'pl', hours: 0 }), 3],
  [place({ country: 'SE', region: 'SE-AB', city: 'Stockholm', language: 'sv', hours: 0 }), 2],
  [place({ country: 'DK', region: 'DK-84', city: 'Copenhagen', language: 'da', hours: 0 }), 2],
  [place({ country: 'US', region: 'US-NY', city: 'New York', language: 'en', hours: -6 }), 5],
  [place({ country: 'US', region: 'US-CA', city: 'San Francisco', language: 'en', hours: -9 }), 4],
  [place({ country: 'CA', region: 'CA-ON', city: 'Toronto', language: 'en', hours: -6 }), 2],
  [place({ country: 'JP', region: 'JP-13', city: 'Tokyo', language: 'ja', hours: 8 }), 2],
  [place({ country: 'AU', region: 'AU-NSW', city: 'Sydney', language: 'en', hours: 9 }), 2],
  [place({ country: 'BR', region: 'BR-SP', city: 'São Paulo', language: 'pt', hours: -4 }), 2],
  [place({ country: 'IN', region: 'IN-KA', city: 'Bengaluru', language: 'en', hours: 4 }), 2],
])

/** A device; `speed` is the factor of its loading times. */
export type Machine = Pick<Visit, 'browser' | 'os' | 'os_version' | 'device' | 'screen'> & {
  readonly speed: number
  readonly release: number
}
interface MachineInput {
  readonly browser: string
  readonly release: number
  readonly os: string
  readonly os_version: string
  readonly device: string
  readonly screen: string
  readonly speed: number
}

/** @param release version of the browser two years ago; a new one comes about every month */
const machine = ({ browser, release, os, os_version, device, screen, speed }: MachineInput): Machine => ({
  browser,
  release,
  os,
  os_version,
  device,
  screen,
  speed,
})

export const machines = weighted<Machine>([
  [machine({ browser: 'Chrome', release: 131, os: 'Windows', os_version: '10', device: 'desktop', screen: '1920x1080', speed: 1 }), 18],
  [machine({ browser: 'Chrome', release: 131, os: 'Windows', os_version: '11', device: 'desktop', screen: '2560x1440', speed: 0.9 }), 10],
  [machine({ browser: 'Edge', release: 131, os: 'Windows', os_version: '11', device: 'desktop', screen: '1920x1080', speed: 1 }), 6],
  [machine({ browser: 'Firefox', release: 132, os: 'Windows', os_version: '10', device: 'desktop', screen: '1920x1080', speed: 1.1 }), 4],
  [machine({ browser: 'Firefox', release: 132, os: 'Linux', os_version: '', device: 'desktop', screen: '1920x1080', speed: 1 }), 3],
  [machine({ browser: 'Safari', release: 18, os: 'macOS', os_version: '10.15', device: 'desktop', screen: '1440x900', speed: 0.8 }), 9],
  [machine({ browser: 'Chrome', release: 131, os: 'macOS', os_version: '10.15', device: 'desktop', screen: '1728x1117', speed: 0.8 }), 6],
  [machine({ browser: 'Safari', release: 18, os: 'iOS', os_version: '18.1', device: 'mobile', screen: '390x844', speed: 1.2 }), 22],
  [machine({ browser: 'Chrome', release: 131, os: 'Android', os_version: '14', device: 'mobile', screen: '412x915', speed: 1.9 }), 14],
  [
    machine({ browser: 'Samsung Internet', release: 27, os: 'Android', os_version: '14', device: 'mobile', screen: '360x780', speed: 2.2 }),
    5,
  ],
  [machine({ browser: 'Safari', release: 18, os: 'iPadOS', os_version: '18.1', device: 'tablet', screen: '820x1180', speed: 1.1 }), 3],
])
