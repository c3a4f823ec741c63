/** Measurements that the script of a site sends besides hits: attention, web vitals and clicks, with all of them switched on. */
import { dictionaryOf } from '../../../storage/hits/dictionaries.ts'
import { vitalNames } from '../../../storage/values/web-vitals.ts'
import type { Hit, Visit } from './dataset.ts'

export interface Vital {
  readonly metric: string
  readonly value: number
}
export interface Click {
  readonly selector: number
  readonly x: number
  readonly y: number
}

/** Elements of the site that are clicked. */
export const SELECTORS = Array.from({ length: 400 }, (_, i) => `main > section:nth-of-type(${(i % 12) + 1}) a.link-${i}`)
export const selectorDictionary = dictionaryOf.selector

/** `--plain` makes a year without measurements, as of a site that has not switched them on. */
const isPlain = process.argv.includes('--plain')

/** A number from 0 to 1 that is the same for the same hit and use. */
function drawn({ visitor, number }: Visit, { at, page }: Hit, use: number): number {
  let mixed = Math.imul(visitor, 0x9e3779b1) ^ Math.imul(number + use * 31, 0x85ebca6b) ^ Math.imul(page, 0xc2b2ae35) ^ (at % 2 ** 31)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** Attention to a page: seven of ten views are attended, most for less than a minute. */
export function attentionTo(visit: Visit, hit: Hit): { readonly engagedMs: number; readonly scroll: number } {
  if (isPlain || hit.event !== 0 || drawn(visit, hit, 1) > 0.7) return { engagedMs: 0, scroll: 0 }
  return {
    engagedMs: Math.round(1_000 + 12_000 * -Math.log(1 - drawn(visit, hit, 2))),
    scroll: Math.round(100 * drawn(visit, hit, 3) ** 0.7),
  }
}

const TYPICAL: Readonly<Record<string, number>> = { lcp: 1_900, inp: 90, cls: 40, fcp: 1_200, ttfb: 350 }

/** Web vitals of a page load: of the first view of six of ten visits, whose browsers measure them. */
export function vitalsOf(visit: Visit, hit: Hit, isFirst: boolean): Vital[] {
  if (isPlain || !isFirst || hit.event !== 0 || drawn(visit, hit, 4) > 0.6) return []
  return vitalNames
    .filter(name => name !== 'inp' || drawn(visit, hit, 5) < 0.6)
    .map((metric, i) => ({ metric, value: Math.round((TYPICAL[metric] ?? 100) * Math.exp(1.1 * (drawn(visit, hit, 6 + i) - 0.5) * 2)) }))
}

/** Clicks on a page: one or two on every third view. */
export function clicksOn(visit: Visit, hit: Hit): Click[] {
  if (isPlain || hit.event !== 0 || drawn(visit, hit, 12) > 0.33) return []
  return Array.from({ length: drawn(visit, hit, 13) < 0.3 ? 2 : 1 }, (_, i) => ({
    selector: 1 + Math.floor(SELECTORS.length * drawn(visit, hit, 14 + i) ** 2),
    x: Math.floor(10_000 * drawn(visit, hit, 16 + i)),
    y: Math.floor(3_000 * drawn(visit, hit, 18 + i)),
  }))
}
