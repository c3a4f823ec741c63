/** Generates two years of visits to the shop, day by day, up to a given day. The same seed gives the same visits. */
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { dayStart } from '../../storage/calendar/zones.ts'
import { DAYS, timeOfDay, weightOf } from './calendar.ts'
import { type Chance, chance, type Weighted, weighted } from './chance.ts'
import { customerOf, personOf } from './customers.ts'
import { type Experiment, experimentOn, treatment } from './experiment.ts'
import { networkIn } from './networks.ts'
import { type Arrival, arrivals, domain, machines, places } from './people.ts'
import { type Page, pageAt, pagesOf } from './pages.ts'

export interface Traffic {
  readonly site: number
  readonly zone: string
  /** Approximate number of pageviews and events. */
  readonly hits: number
  /** The last day, by number. */
  readonly today: number
  readonly seed: number
  /** The keyed hash of a customer's id; by default, no visitor is identified. */
  hashOf?(id: string): string
}

/** Pageviews and events of an average visit, as measured: the total is right within a few percent. */
const HITS_A_VISIT = 2.41
const MAX_PAGES = 25

/** The hits of each day, unordered: pageviews, events and measurements. */
export function* traffic({ site, zone, hits, today, seed, hashOf }: Traffic): Generator<readonly NewHit[]> {
  const chanceOfWeights = chance(seed)
  const weights = Array.from({ length: DAYS }, (_, i) => weightOf(today - DAYS + 1 + i, DAYS - 1 - i, chanceOfWeights))
  const visitsPerWeight = hits / HITS_A_VISIT / weights.reduce((sum, weight) => sum + weight, 0)
  for (const [i, weight] of weights.entries()) {
    const day = today - DAYS + 1 + i
    const daysAgo = DAYS - 1 - i
    const chanceOfDay = chance(seed * 1_000_003 + i) // a seed for each day, so that days do not depend on each other
    const arrivalsOfDay = weighted(arrivals.map(arrival => [arrival, arrival.share(daysAgo)]))
    const ofDay = { site, zone, from: dayStart(zone, day), to: dayStart(zone, day + 1), experiment: experimentOn(day) }
    const count = Math.max(1, Math.round(weight * visitsPerWeight))
    yield Array.from({ length: count }, (_, n) => {
      const visitor = chanceOfDay.hit(0.06) ? chanceOfDay.whole(0, n) : n
      const key = `${day} ${visitor}`
      const hitsOfVisit = visit(chanceOfDay, { ...ofDay, daysAgo, arrivals: arrivalsOfDay, key })
      const hasBought = hitsOfVisit.some(({ revenue }) => revenue > 0)
      const customer = hashOf ? customerOf({ key: `${seed} ${key}`, daysIn: i, hasBought, hits }) : null
      return customer && hashOf ? hitsOfVisit.map(hit => ({ ...hit, user: personOf(customer, hashOf) })) : hitsOfVisit
    }).flat()
  }
}

interface VisitInput {
  readonly site: number
  readonly zone: string
  readonly from: number
  readonly to: number
  readonly daysAgo: number
  /** Ways in which visitors arrive on this day. */
  readonly arrivals: Weighted<Arrival>
  readonly experiment: Experiment
  /** Identifies the visitor; some have two visits a day. */
  readonly key: string
}

/** The hits of one visit. */
function visit(chance: Chance, { site, zone, from, to, daysAgo, arrivals, experiment, key }: VisitInput): NewHit[] {
  const arrival = chance.one(arrivals)
  const { hours, ...place } = chance.one(places)
  const { release, speed, ...machine } = chance.one(machines)
  const months = Math.floor((DAYS - daysAgo) / 32)
  const base: NewHit = {
    site,
    zone,
    at: 0,
    identity: { ip: 'demo', userAgent: key },
    kind: 'pageview',
    page: '',
    event: '',
    interactive: true,
    revenue: 0,
    engagedMs: 0,
    scroll: 0,
    props: [],
    vitals: {},
    clicks: [],
    visit: {
      ...arrival.found,
      ...place,
      ...networkIn(key, place.country),
      ...machine,
      browser_version: String(release + months),
      hostname: domain,
      custom_channel: arrival.found.channel,
    },
  }
  const hits: NewHit[] = []
  let at = from + timeOfDay(chance, hours)
  let target = chance.one(arrival.landing)
  for (let pages = 0; target !== '' && pages < MAX_PAGES && at < to; pages++) {
    const pagesOfKind = pagesOf(target)
    const page = pageAt(pagesOfKind ? chance.one(pagesOfKind) : target)
    const stay = 2_000 + chance.around(page.reading)
    hits.push(
      { ...base, at, page: page.path },
      ...eventsOn({ chance, base, page, at: at + stay / 2, variant: () => experiment.variantOf(key) }),
    )
    if (at + stay < to) hits.push(...measurementsOf({ chance, base, page, at, stay, speed }))
    at += Math.round(stay)
    target = nextOf(chance, page, arrival.interest * (experiment.isShown(key, treatment) ? 1.12 : 1))
  }
  return hits.map(hit => ({ ...hit, at: Math.round(hit.at) })).filter(hit => hit.at < to)
}

/** The next page, or '' to leave. The higher the interest, the longer the visit. */
function nextOf(chance: Chance, page: Page, interest: number): string {
  const target = chance.one(page.next)
  if (target === '' && interest > 1 && chance.hit(1 - 1 / interest)) return chance.one(page.next)
  return target !== '' && interest < 1 && chance.hit(1 - interest) ? '' : target
}

interface EventsInput {
  readonly chance: Chance
  readonly base: NewHit
  readonly page: Page
  readonly at: number
  readonly variant: () => string
}

/** The events on a page. */
function eventsOn({ chance, base, page: { path }, at, variant }: EventsInput): NewHit[] {
  type Props = Readonly<Record<string, string | number>>
  const event = (name: string, props: Props, more: Partial<NewHit> = {}): NewHit => ({
    ...base,
    ...more,
    at,
    page: path,
    kind: 'event',
    event: name,
    props: Object.entries(props).map(([key, value]) => [key, String(value), typeof value === 'number' ? value : null]),
  })
  const shelf = /^\/shop\/(\w+)\//.exec(path)?.[1]
  if (shelf && chance.hit(0.14)) return [event('Add to cart', { shelf, quantity: chance.whole(1, 3) })]
  if (path === '/cart') return [event('experiment', { name: 'checkout', variant: variant() }, { interactive: false })]
  if (path === '/checkout/thanks') {
    const quantity = chance.whole(1, 4)
    return [
      event(
        'Purchase',
        {
          plan: chance.hit(0.2) ? 'club' : 'guest',
          quantity,
          payment: chance.one(payments),
          variant: variant(),
        },
        { revenue: Math.round(quantity * (900 + chance.around(2_600))) },
      ),
    ]
  }
  if (path === '/newsletter/thanks') return [event('Signup', { list: 'monthly-letter' })]
  if (path.startsWith('/guides/') && chance.hit(0.12)) {
    return [event('File Download', { url: `https://${domain}${path}.pdf` })]
  }
  if (path.startsWith('/journal/') && chance.hit(0.05)) {
    return [event('Outbound Link: Click', { url: 'https://almanac.example.org/' })]
  }
  return []
}

const payments = weighted([
  ['card', 6],
  ['paypal', 3],
  ['invoice', 1],
])

/** Click targets: x in ten-thousandths of the width, y as a share of the height. */
const spots = weighted([
  [{ selector: '#buy', x: 7_400, y: 0.2 }, 8],
  [{ selector: 'nav a.shop', x: 3_000, y: 0.01 }, 6],
  [{ selector: 'nav a.journal', x: 4_200, y: 0.01 }, 4],
  [{ selector: 'img.hero', x: 5_000, y: 0.12 }, 3],
  [{ selector: 'main a.more', x: 4_600, y: 0.6 }, 4],
  [{ selector: 'footer a.contact', x: 2_200, y: 0.96 }, 1],
])

interface MeasurementsInput {
  readonly chance: Chance
  readonly base: NewHit
  readonly page: Page
  readonly at: number
  readonly stay: number
  readonly speed: number
}

/** Measurements in the form of our own script. */
function measurementsOf({ chance, base, page, at, stay, speed }: MeasurementsInput): NewHit[] {
  const hit = (kind: NewHit['kind'], more: Partial<NewHit>): NewHit => ({ ...base, ...more, kind, page: page.path, at: at + stay - 1_000 })
  const hits: NewHit[] = []
  const read = Math.min(1, stay / page.reading / 1.6)
  if (chance.hit(0.5)) {
    const scroll = Math.round(20 + 80 * read * chance.next() ** 0.3)
    hits.push(hit('engagement', { engagedMs: Math.round(stay * 0.8), scroll }))
  }
  if (chance.hit(0.06)) {
    const slowness = speed * (0.6 + chance.around(0.5))
    hits.push(
      hit('vitals', {
        vitals: {
          lcp: Math.round(page.paint * slowness),
          fcp: Math.round(page.paint * slowness * 0.6),
          ttfb: Math.round(180 + 260 * slowness),
          inp: Math.round(60 + 110 * slowness),
          cls: Math.round(40 * chance.around(1) * speed) / 1000,
        },
      }),
    )
  }
  if (chance.hit(0.05)) {
    const { selector, x, y } = chance.one(spots)
    const click = { selector, x: x + chance.whole(-300, 300), y: Math.round(page.height * (y + 0.02 * chance.next())) }
    hits.push(hit('clicks', { clicks: [click] }))
  }
  return hits
}
