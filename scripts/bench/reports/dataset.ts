/**
 * A year of traffic of one site, the same in every run: weekdays and seasons, pages by Zipf, bounces, events with
 * properties and revenue. Ids are positions in `texts`, from 1; 0 is "no value".
 */
import { dayStart } from '../../../storage/calendar/zones.ts'
import { DAY_MS, HOUR_MS } from '../../../storage/values/durations.ts'
import { type Chance, chance } from './chance.ts'

export const ZONE = 'America/New_York'
/** 2024-11-01 to 2025-10-31: two changes of the clock. */
export const FIRST_DAY = Date.UTC(2024, 10, 1) / DAY_MS
export const DAYS = 365
export const LAST_DAY = FIRST_DAY + DAYS - 1

const PAGES = 5_000
const REFERRERS = 500
const CITIES = 3_000
const VALUES = 400

export interface Prop {
  readonly key: number
  readonly value: number
}
export interface Hit {
  /** Epoch ms. */
  readonly at: number
  readonly page: number
  /** 0 is a pageview. */
  readonly event: number
  readonly revenue: number
  readonly props: readonly Prop[]
}
export interface Visit {
  /** Both count from 1, within the day and the visitor. */
  readonly visitor: number
  readonly number: number
  readonly country: number
  readonly city: number
  readonly browser: number
  readonly os: number
  readonly device: number
  readonly language: number
  readonly channel: number
  readonly referrer: number
  readonly utm_source: number
  readonly utm_medium: number
  readonly utm_campaign: number
  /** Number of the person; 0 for visits that are not identified. */
  readonly person: number
  readonly hits: readonly Hit[]
}
export interface DayOfTraffic {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
  readonly visits: readonly Visit[]
}

const list = (n: number, text: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => text(i))
const letter = (n: number): string => String.fromCharCode(65 + n)
const known = ['US', 'DE', 'GB', 'FR', 'IN', 'CA', 'NL', 'ES', 'BR', 'IT']
const countries = [
  ...known,
  ...list(182, i => letter(Math.floor(i / 7)) + letter((i % 7) * 4))
    .filter(code => !known.includes(code))
    .slice(0, 110),
]

function page(i: number): string {
  if (i === 0) return '/'
  if (i % 10 < 6) return `/blog/${['how-to', 'guide', 'why', 'release', 'story'][i % 5]}-${i}-${((i * 2654435761) >>> 0).toString(36)}`
  if (i % 10 < 8) return `/docs/section-${i % 40}/topic-${i}`
  return i % 10 < 9 ? `/products/item-${i}` : `/p/${i}/landing`
}

/** Texts by id, from 1. */
export const texts = {
  page: list(PAGES, page),
  referrer: list(
    REFERRERS,
    i => ['google.com', 'bing.com', 'duckduckgo.com', 'news.ycombinator.com', 't.co', 'facebook.com'][i] ?? `www.site-${i}.example`,
  ),
  country: countries,
  city: list(CITIES, i => `City ${i}`),
  browser: ['Chrome', 'Safari', 'Edge', 'Firefox', 'Samsung Internet', 'Opera', 'UC', 'Brave', 'Vivaldi', 'Yandex', 'IE', 'Other'],
  os: ['Windows', 'iOS', 'Android', 'macOS', 'Linux', 'ChromeOS', 'Ubuntu', 'Other'],
  device: ['desktop', 'mobile', 'tablet', 'tv'],
  language: list(40, i => `l${i}`),
  channel: [
    'Direct',
    'Organic Search',
    'Organic Social',
    'Referral',
    'Paid Search',
    'Paid Social',
    'Email',
    'Display',
    'AI Assistants',
    'Other',
  ],
  utm_source: list(30, i => `src${i}`),
  utm_medium: list(8, i => `med${i}`),
  utm_campaign: list(200, i => `campaign-${i}`),
  event: [
    'purchase',
    'signup',
    'download',
    'outbound',
    'search',
    'video_play',
    'form_submit',
    'scroll_75',
    'share',
    'login',
    'add_to_cart',
    'newsletter',
  ],
  prop_key: ['plan', 'variant', 'button', 'value', 'position', 'category'],
  prop_value: list(VALUES, i => `val-${i}`),
} as const

/** By device, in the same order. */
const browsersOf = [
  [50, 10, 14, 12, 0, 3, 1, 5, 2, 2, 1, 2],
  [42, 36, 2, 3, 9, 2, 3, 2, 0, 1, 0, 2],
  [30, 50, 2, 3, 10, 2, 1, 1, 0, 1, 0, 1],
  [60, 5, 5, 5, 15, 1, 1, 0, 0, 1, 0, 8],
]
const systemsOf = [
  [60, 0, 0, 25, 6, 4, 5, 1],
  [0, 48, 52, 0, 0, 0, 0, 1],
  [2, 55, 42, 0, 0, 2, 0, 1],
  [0, 5, 60, 0, 20, 0, 0, 15],
]
const hours = [2, 1.4, 1, 0.9, 0.9, 1.2, 2, 3.2, 4.6, 5.6, 6.2, 6.3, 6.2, 6.3, 6.4, 6.2, 5.9, 5.6, 5.4, 5.5, 5.6, 5.2, 4.2, 3]
const PAID = [5, 6, 7, 8, 10]
const GAP_MS = 30 * 60_000
const VISITS_A_VISITOR = 1.135
const HITS_A_VISIT = 3.04

/** @param hits the approximate number; each site has its own `seed` */
const HITS_A_PERSON = 10

/** Six of ten visitors are identified; some people come often. Drawn apart, so that all else is as before. */
function personOf(day: number, visitor: number, persons: number): number {
  const drawn = Math.imul(Math.imul(day, 0x9e3779b1) ^ Math.imul(visitor, 0x85ebca6b), 0xc2b2ae35) >>> 0
  return drawn % 10 < 6 ? 1 + Math.floor((drawn / 2 ** 32) ** 2 * persons) : 0
}

export function* traffic({ hits, seed = 0 }: { hits: number; seed?: number }): Generator<DayOfTraffic> {
  const random = chance(seed)
  const draw = draws(random)
  const weights = list(DAYS, String).map((_, d) => {
    const weekday = new Date((FIRST_DAY + d) * DAY_MS).getUTCDay()
    return (weekday === 0 ? 0.62 : weekday === 6 ? 0.68 : 1) * (1 + (0.35 * d) / DAYS) * (0.92 + 0.16 * random.next())
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  for (const [d, weight] of weights.entries()) {
    const day = FIRST_DAY + d
    const [startsAt, endsAt] = [dayStart(ZONE, day), dayStart(ZONE, day + 1)]
    const visitors = Math.round((hits / HITS_A_VISIT / VISITS_A_VISITOR) * (weight / sum))
    const firsts = Float64Array.from({ length: visitors }, () => timeOfDay(draw, endsAt - startsAt)).sort()
    const visits: Visit[] = []
    for (const [i, first] of firsts.entries()) {
      const person = personOf(day, i + 1, hits / HITS_A_PERSON)
      visits.push(...visitsOf(random, { draw, visitor: i + 1, person, first: startsAt + first, endsAt }))
    }
    yield { day, startsAt, endsAt, visits }
  }
}

type Draws = ReturnType<typeof draws>
function draws({ zipf, weighted, next }: Chance) {
  return {
    next,
    page: zipf(PAGES, 1.02),
    entry: zipf(PAGES, 1.2),
    referrer: zipf(REFERRERS, 1.1),
    country: zipf(countries.length, 1.25),
    city: zipf(25, 1),
    language: zipf(40, 1.4),
    campaign: zipf(200, 1),
    source: zipf(30, 1.1),
    medium: zipf(8, 0.9),
    device: weighted([48, 46, 5, 1]),
    browser: browsersOf.map(weighted),
    os: systemsOf.map(weighted),
    event: weighted([4, 8, 12, 25, 10, 6, 6, 20, 2, 5, 6, 3]),
    value: zipf(VALUES, 1.1),
    near: zipf(8, 1),
    hour: weighted(hours),
  }
}

const timeOfDay = (draw: Draws, length: number): number =>
  Math.min(length - 1, Math.floor(((draw.hour() + draw.next()) * HOUR_MS * length) / DAY_MS))

interface VisitsOf {
  readonly draw: Draws
  readonly visitor: number
  readonly person: number
  readonly first: number
  readonly endsAt: number
}

function* visitsOf({ next }: Chance, { draw, visitor, person, first, endsAt }: VisitsOf): Generator<Visit> {
  const device = draw.device()
  const country = draw.country()
  const who = {
    visitor,
    person,
    device: device + 1,
    browser: (draw.browser[device]?.() ?? 0) + 1,
    os: (draw.os[device]?.() ?? 0) + 1,
    country: country + 1,
    city: ((country * 25 + draw.city()) % CITIES) + 1,
    language: draw.language() + 1,
  }
  const many = next()
  const count = many < 0.885 ? 1 : many < 0.98 ? 2 : 3
  let at = first
  for (let number = 1; number <= count; number++) {
    if (number > 1) at += GAP_MS + Math.floor(next() * 4 * HOUR_MS)
    if (at > endsAt - 60_000 && number > 1) return
    const hits = hitsOf(draw, at, endsAt)
    yield { ...who, number, ...cameFrom(draw), hits }
    at = hits.at(-1)?.at ?? at
  }
}

function cameFrom(draw: Draws): Pick<Visit, 'channel' | 'referrer' | 'utm_source' | 'utm_medium' | 'utm_campaign'> {
  const none = { referrer: 0, utm_source: 0, utm_medium: 0, utm_campaign: 0 }
  const way = draw.next()
  if (way < 0.12) {
    const medium = draw.medium() + 1
    return {
      channel: PAID[medium % 5] ?? 5,
      referrer: draw.next() < 0.5 ? draw.referrer() + 1 : 0,
      utm_source: draw.source() + 1,
      utm_medium: medium,
      utm_campaign: draw.campaign() + 1,
    }
  }
  if (way >= 0.55) return { ...none, channel: 1 }
  const referrer = draw.referrer() + 1
  return { ...none, referrer, channel: referrer <= 3 ? 2 : referrer <= 6 ? 3 : referrer % 37 === 0 ? 9 : 4 }
}

function hitsOf(draw: Draws, startsAt: number, endsAt: number): Hit[] {
  const { next } = draw
  let views = 1
  if (next() >= 0.45) for (views = 2; views < 200 && next() < 0.694; ) views++
  const hits: Hit[] = []
  let at = startsAt
  let page = draw.entry()
  for (let view = 0; view < views; view++) {
    if (view > 0) {
      at += 2_000 + Math.floor(-Math.log(1 - next()) * 45_000)
      if (at >= endsAt) break
      page = next() < 0.5 ? (page * 31 + draw.near() * 97 + 1) % PAGES : draw.page()
    }
    hits.push({ at, page: page + 1, event: 0, revenue: 0, props: [] })
    const sends = (next() < 0.0866 && (views > 1 || next() < 0.15)) || (views > 1 && next() < 0.03)
    const event = draw.event() + 1
    const eventAt = at + 1_000 + Math.floor(next() * 15_000)
    if (!sends || eventAt >= endsAt) continue
    at = eventAt
    const props = list(next() < 0.5 ? 2 : 3, String).map((_, i) => ({ key: ((event + i) % 6) + 1, value: draw.value() + 1 }))
    hits.push({ at, page: page + 1, event, revenue: event === 1 ? 500 + Math.floor(next() * 20_000) : 0, props })
  }
  return hits
}
