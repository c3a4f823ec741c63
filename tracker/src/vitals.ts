/**
 * Core Web Vitals by Google's web-vitals, beside the tracker: `data-vitals` loads it. One hit a page load tells all
 * five, when the page is first hidden, under the address it was loaded at: what a single-page application does later
 * does not change what was loaded. A metric is told once, so that a percentile counts each load once.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { MetricType } from 'web-vitals'
import { attempt } from './listen.ts'
import type { Vitals } from './protocol.ts'

const told = new Set<string>()
let fresh: Vitals = {}
let url = location.href

const collect = (name: keyof Vitals, decimals = 0) => ({ id, value }: MetricType) => {
  if (told.has(id)) return
  told.add(id)
  fresh[name] = +value.toFixed(decimals)
}

attempt(() => onLCP(collect('lcp')))
attempt(() => onINP(collect('inp')))
attempt(() => onCLS(collect('cls', 4)))
attempt(() => onFCP(collect('fcp')))
attempt(() => onTTFB(collect('ttfb')))

// In the bubbling phase the window hears last: web-vitals, which listens to its capture, has told us all by then.
addEventListener('visibilitychange', () => {
  if (!document.hidden || !Object.keys(fresh).length) return
  const vitals = fresh
  fresh = {}
  if (window.footfall) window.footfall('vitals', { url, vitals })
})
addEventListener('pageshow', (event) => {
  if (event.persisted) url = location.href
})
