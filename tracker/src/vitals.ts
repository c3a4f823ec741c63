/**
 * Core Web Vitals by Google's web-vitals; loaded by the tracker for `data-vitals`. One hit for each page load has all
 * five, sent when the page is first hidden, with the URL it was loaded from: later navigation in a single-page
 * application loads nothing. Each metric is sent once, so that percentiles count each load once.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { MetricType } from 'web-vitals'
import { attempt } from './listen.ts'
import type { Vitals } from './protocol.ts'

const sent = new Set<string>()
let unsent: Vitals = {}
let url = location.href

const collect =
  (name: keyof Vitals, decimals = 0) =>
  ({ id, value }: MetricType) => {
    if (sent.has(id)) return
    sent.add(id)
    unsent[name] = +value.toFixed(decimals)
  }

attempt(() => onLCP(collect('lcp')))
attempt(() => onINP(collect('inp')))
attempt(() => onCLS(collect('cls', 4)))
attempt(() => onFCP(collect('fcp')))
attempt(() => onTTFB(collect('ttfb')))

// The bubbling phase comes after the capture phase, in which web-vitals reports its last values.
addEventListener('visibilitychange', () => {
  if (!document.hidden || !Object.keys(unsent).length) return
  const vitals = unsent
  unsent = {}
  if (window.footfall) window.footfall('vitals', { url, vitals })
})
addEventListener('pageshow', event => {
  if (event.persisted) url = location.href
})
