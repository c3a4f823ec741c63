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

const arrival = (
  referrer: string,
  query: string,
  landing: Weighted<string>,
  interest: number,
  share: number | ((daysAgo: number) => number),
): Arrival => {
  const { click_id: _, ...found } = acquisitionOf({ referrer, hostname: domain, query: new URLSearchParams(query) })
  return { found, landing, interest, share: typeof share === 'number' ? () => share : share }
}
/** A campaign between two days. */
const during = (from: number, to: number, share: number) => (daysAgo: number) => (daysAgo <= from && daysAgo >= to ? share : 0)
const growing = (from: number, to: number) => (daysAgo: number) => to + ((from - to) * Math.min(730, daysAgo)) / 730

export const arrivals: readonly Arrival[] = [
  arrival('', '', anything, 1.1, 24),
  arrival('https://www.google.com/', '', anything, 1, 30),
  arrival('https://www.bing.com/search', '', anything, 1, 4),
  arrival('https://duckduckgo.com/', '', reading, 1, growing(1, 4)),
  arrival('https://chatgpt.com/', '', reading, 1.3, growing(0, 7)),
  arrival('https://www.perplexity.ai/', '', reading, 1.2, growing(0, 2.5)),
  arrival('https://www.pinterest.com/pin/1', '', reading, 0.7, 5),
  arrival('https://www.instagram.com/', '', shop, 0.8, growing(3, 6)),
  arrival('https://m.facebook.com/', '', anything, 0.7, growing(7, 3)),
  arrival('https://www.reddit.com/r/gardening/comments/1', '', reading, 0.6, 3),
  arrival('https://www.youtube.com/watch', '', reading, 0.8, 2),
  arrival('https://news.ycombinator.com/item', '', weighted([['/journal/sharpen-a-spade', 1]]), 0.3, during(96, 94, 70)),
  arrival('https://almanac.example.org/links/tools', '', reading, 1.2, 3),
  arrival('https://allotments.example.net/forum/42', '', reading, 1.1, 2),
  arrival('', 'utm_source=newsletter&utm_medium=email&utm_campaign=monthly-letter', shop, 2, daysAgo => (daysAgo % 30 < 3 ? 16 : 1.5)),
  arrival(
    'https://www.google.com/',
    'utm_source=google&utm_medium=cpc&utm_campaign=spring-tools&utm_term=garden+spade&gclid=1',
    shop,
    1.5,
    growing(3, 6),
  ),
  arrival(
    'https://www.instagram.com/',
    'utm_source=instagram&utm_medium=paid_social&utm_campaign=balcony&utm_content=video',
    shop,
    1,
    during(240, 150, 9),
  ),
  arrival('', 'utm_source=partner&utm_medium=affiliate&utm_campaign=almanac', shop, 1.6, 1.5),
  arrival(
    'https://www.google.com/',
    'utm_source=google&utm_medium=cpc&utm_campaign=black-friday&gclid=1',
    weighted([['/sale', 1]]),
    2.2,
    during(365, 355, 14),
  ),
  arrival(
    'https://www.facebook.com/',
    'utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn-sale&utm_content=carousel',
    weighted([['/sale', 1]]),
    1.4,
    during(12, 0, 11),
  ),
]

/** Country, region, city, language, and hours between the visitor's and the site's time. */
export type Place = Pick<Visit, 'country' | 'region' | 'city' | 'language'> & { readonly hours: number }
const place = (country: string, region: string, city: string, language: string, hours: number): Place => ({
  country,
  region,
  city,
  language,
  hours,
})

export const places = weighted<Place>([
  [place('DE', 'DE-BE', 'Berlin', 'de', 0), 14],
  [place('DE', 'DE-BY', 'Munich', 'de', 0), 10],
  [place('DE', 'DE-HH', 'Hamburg', 'de', 0), 8],
  [place('DE', 'DE-NW', 'Cologne', 'de', 0), 9],
  [place('AT', 'AT-9', 'Vienna', 'de', 0), 6],
  [place('CH', 'CH-ZH', 'Zurich', 'de', 0), 5],
  [place('FR', 'FR-IDF', 'Paris', 'fr', 0), 7],
  [place('FR', 'FR-ARA', 'Lyon', 'fr', 0), 3],
  [place('NL', 'NL-NH', 'Amsterdam', 'nl', 0), 5],
  [place('GB', 'GB-ENG', 'London', 'en', -1), 8],
  [place('GB', 'GB-SCT', 'Edinburgh', 'en', -1), 2],
  [place('IE', 'IE-L', 'Dublin', 'en', -1), 2],
  [place('ES', 'ES-MD', 'Madrid', 'es', 0), 3],
  [place('IT', 'IT-25', 'Milan', 'it', 0), 3],
  [place('PL', 'PL-14', 'Warsaw', 'pl', 0), 3],
  [place('SE', 'SE-AB', 'Stockholm', 'sv', 0), 2],
  [place('DK', 'DK-84', 'Copenhagen', 'da', 0), 2],
  [place('US', 'US-NY', 'New York', 'en', -6), 5],
  [place('US', 'US-CA', 'San Francisco', 'en', -9), 4],
  [place('CA', 'CA-ON', 'Toronto', 'en', -6), 2],
  [place('JP', 'JP-13', 'Tokyo', 'ja', 8), 2],
  [place('AU', 'AU-NSW', 'Sydney', 'en', 9), 2],
  [place('BR', 'BR-SP', 'São Paulo', 'pt', -4), 2],
  [place('IN', 'IN-KA', 'Bengaluru', 'en', 4), 2],
])

/** A device; `speed` is the factor of its loading times. */
export type Machine = Pick<Visit, 'browser' | 'os' | 'os_version' | 'device' | 'screen'> & {
  readonly speed: number
  readonly release: number
}
/** @param release version of the browser two years ago; a new one comes about every month */
const machine = (
  browser: string,
  release: number,
  os: string,
  os_version: string,
  device: string,
  screen: string,
  speed: number,
): Machine => ({ browser, release, os, os_version, device, screen, speed })

export const machines = weighted<Machine>([
  [machine('Chrome', 131, 'Windows', '10', 'desktop', '1920x1080', 1), 18],
  [machine('Chrome', 131, 'Windows', '11', 'desktop', '2560x1440', 0.9), 10],
  [machine('Edge', 131, 'Windows', '11', 'desktop', '1920x1080', 1), 6],
  [machine('Firefox', 132, 'Windows', '10', 'desktop', '1920x1080', 1.1), 4],
  [machine('Firefox', 132, 'Linux', '', 'desktop', '1920x1080', 1), 3],
  [machine('Safari', 18, 'macOS', '10.15', 'desktop', '1440x900', 0.8), 9],
  [machine('Chrome', 131, 'macOS', '10.15', 'desktop', '1728x1117', 0.8), 6],
  [machine('Safari', 18, 'iOS', '18.1', 'mobile', '390x844', 1.2), 22],
  [machine('Chrome', 131, 'Android', '14', 'mobile', '412x915', 1.9), 14],
  [machine('Samsung Internet', 27, 'Android', '14', 'mobile', '360x780', 2.2), 5],
  [machine('Safari', 18, 'iPadOS', '18.1', 'tablet', '820x1180', 1.1), 3],
])
