/** The properties of hits: keys, counts, and the time of the last. */
import { idOf } from '../scan/goals.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { reusedBuffer } from '../columns/buffers.ts'
import { allReads } from '../days/reads.ts'
import { readsOver } from '../scan/day-counter.ts'
import { eventsRead, propsRead, scanProps } from '../scan/scan-events.ts'
import { windowOn } from '../days/spans.ts'

export interface PropertiesQuestion {
  readonly report: 'properties'
  readonly span: Span
  /** Only on events with this sent name; null for all hits. */
  readonly event: string | null
}
export interface PropertyFound {
  readonly key: string
  readonly hits: number
  /** Epoch ms. */
  readonly lastAt: number
}
export interface Properties {
  readonly report: 'properties'
  /** Most frequent first. */
  readonly rows: PropertyFound[]
}

const reads = allReads([eventsRead, propsRead])

export const propertiesReport: Report<PropertiesQuestion, Properties> = async (_, { span, event }, { texts }) => {
  const sent = await texts.of('event')
  const keys = await texts.of('prop_key')
  const only = event === null ? null : idOf(sent, event)
  // An event without a name is being deleted; 0 is a pageview.
  const isCounted = (name: string, id: number) => (only === null ? id === 0 || name !== '' : id === only && id > 0)
  const counts = Uint8Array.from(sent, (name, id) => (isCounted(name, id) ? 1 : 0))
  const found = new Map<number, { hits: number; lastAt: number }>()
  const buffer = reusedBuffer(Uint8Array)
  return {
    spans: [span],
    reads: readsOver(span, { whole: reads, part: reads }),
    scans: true,
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      const { at, event: events, count } = day.hits
      const { from, to } = window ?? { from: -Infinity, to: Infinity }
      const picked = buffer(count).fill(0)
      for (let h = 0; h < count; h++) {
        const sinceStart = at[h] ?? 0
        if (counts[events[h] ?? 0] === 1 && sinceStart >= from && sinceStart < to) picked[h] = 1
      }
      scanProps(day, picked, (key, _, __, h) => {
        const time = day.startsAt + (at[h] ?? 0)
        const seen = found.get(key)
        if (!seen) found.set(key, { hits: 1, lastAt: time })
        else {
          seen.hits++
          if (time > seen.lastAt) seen.lastAt = time
        }
      })
    },
    answer: () => ({
      report: 'properties',
      rows: [...found]
        .map(([key, seen]) => ({ key: keys[key] ?? '', ...seen }))
        .sort((a, b) => b.hits - a.hits || (a.key < b.key ? -1 : 1)),
    }),
  }
}
