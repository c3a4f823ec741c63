/** The pages of the demo's site, a shop for garden tools with a journal: their links to each other and their reading times. */
import { weighted, type Weighted } from './chance.ts'

export interface Page {
  readonly path: string
  /** Average time on the page, ms. */
  readonly reading: number
  /** Height in pixels, which limits where clicks are. */
  readonly height: number
  /** Largest contentful paint on a fast machine, ms. */
  readonly paint: number
  /** Next pages; `''` leaves the site. */
  readonly next: Weighted<string>
}

const shelves = { spades: 12, shears: 16, gloves: 10, seeds: 40, pots: 24 }
const articles = [
  'first-frost',
  'pruning-roses',
  'compost-in-90-days',
  'sharpen-a-spade',
  'tomatoes-on-a-balcony',
  'water-less',
  'what-bees-like',
  'raised-beds',
  'a-lawn-without-moss',
  'spring-calendar',
  'bulbs',
  'espalier',
  'slugs',
  'soil-test',
  'winter-vegetables',
  'green-manure',
]
const guides = ['tools', 'soil', 'watering', 'pruning', 'sowing', 'calendar']

interface PageInput extends Omit<Page, 'next'> {
  readonly next: Record<string, number>
}

const page = ({ next, ...rest }: PageInput): Page => ({ ...rest, next: weighted(Object.entries(next)) })

/** `shelf`, `product`, `article` and `guide` match any page of their kind. */
const templates: readonly Page[] = [
  page({
    path: '/',
    reading: 18_000,
    height: 2_400,
    paint: 1_500,
    next: { '': 38, shelf: 34, '/sale': 8, '/journal': 12, guide: 5, '/about': 3 },
  }),
  page({ path: '/sale', reading: 25_000, height: 3_800, paint: 1_900, next: { '': 40, product: 48, shelf: 10, '/': 2 } }),
  page({ path: '/journal', reading: 15_000, height: 3_000, paint: 1_300, next: { '': 35, article: 58, '/': 4, shelf: 3 } }),
  page({ path: '/about', reading: 30_000, height: 1_800, paint: 1_100, next: { '': 60, '/contact': 18, '/': 14, shelf: 8 } }),
  page({ path: '/contact', reading: 35_000, height: 1_200, paint: 1_000, next: { '': 74, '/contact/thanks': 18, '/': 8 } }),
  page({ path: '/contact/thanks', reading: 8_000, height: 900, paint: 900, next: { '': 80, '/': 20 } }),
  page({ path: 'shelf', reading: 22_000, height: 4_200, paint: 2_100, next: { '': 32, product: 56, shelf: 9, '/': 3 } }),
  page({
    path: 'product',
    reading: 40_000,
    height: 2_900,
    paint: 2_300,
    next: { '': 48, product: 20, shelf: 12, '/cart': 17, guide: 3 },
  }),
  page({
    path: 'article',
    reading: 95_000,
    height: 6_500,
    paint: 1_600,
    next: { '': 66, article: 14, product: 9, '/journal': 6, '/newsletter': 5 },
  }),
  page({ path: 'guide', reading: 120_000, height: 8_000, paint: 1_700, next: { '': 52, guide: 24, shelf: 14, product: 10 } }),
  page({ path: '/newsletter', reading: 14_000, height: 900, paint: 900, next: { '': 58, '/newsletter/thanks': 34, '/': 8 } }),
  page({ path: '/newsletter/thanks', reading: 6_000, height: 800, paint: 900, next: { '': 72, '/': 18, shelf: 10 } }),
  page({ path: '/cart', reading: 20_000, height: 1_400, paint: 1_800, next: { '': 36, '/checkout': 50, shelf: 14 } }),
  page({ path: '/checkout', reading: 70_000, height: 1_900, paint: 2_000, next: { '': 38, '/checkout/thanks': 54, '/cart': 8 } }),
  page({ path: '/checkout/thanks', reading: 9_000, height: 1_000, paint: 1_200, next: { '': 82, '/journal': 10, '/': 8 } }),
]

const kinds: Readonly<Record<string, Weighted<string>>> = {
  shelf: popular(Object.keys(shelves).map(shelf => `/shop/${shelf}`)),
  product: popular(
    Object.entries(shelves).flatMap(([shelf, count]) => Array.from({ length: count }, (_, i) => `/shop/${shelf}/${shelf}-${i + 1}`)),
  ),
  article: popular(articles.map(name => `/journal/${name}`)),
  guide: popular(guides.map(name => `/guides/${name}`)),
}

/** Weights by Zipf: the tenth path is drawn a tenth as often as the first. */
function popular(paths: readonly string[]): Weighted<string> {
  return weighted(paths.map((path, i) => [path, 1 / (i + 1)]))
}

const byPath = new Map<string, Page>(templates.filter(({ path }) => path.startsWith('/')).map(each => [each.path, each]))
for (const each of templates) for (const path of kinds[each.path]?.things ?? []) byPath.set(path, { ...each, path })

export function pageAt(path: string): Page {
  const found = byPath.get(path)
  if (!found) throw new Error(`the demo has no page ${path}`)
  return found
}

/** The paths of a kind of page; undefined if `kind` is a path. */
export const pagesOf = (kind: string): Weighted<string> | undefined => kinds[kind]
