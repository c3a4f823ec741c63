/** Counts visits by the keys of the properties of their hits. (Every `!` reads a typed array inside its bounds.) */
import { allReads, columnsRead } from '../days/reads.ts'
import { hitsCounted } from '../days/tally.ts'
import { type Grouping, type GroupingOptions, metOf } from './breakdown.ts'
import { readsOfHits } from './narrowing.ts'

const read = allReads([hitsCounted, columnsRead('visits.firstHit', 'props.hit', 'props.key', 'hits.event')])

export async function groupingByKey({ narrowing, basis, texts }: GroupingOptions): Promise<Grouping> {
  const keys = await texts.of('prop_key')
  const gone = await texts.gone()
  const hits = narrowing?.hits ?? []
  const ofConditions = readsOfHits(hits)
  return {
    count: keys.length,
    basis,
    name: group => keys[group] ?? '',
    stored: null,
    reads: { whole: allReads([read, ofConditions]), part: allReads([read, ofConditions, columnsRead('hits.at')]) },
    scan(tally, scanned) {
      const { day, mask, window } = scanned
      const met = metOf(scanned, hits)
      const { firstHit } = day.visits
      const { event } = day.hits
      const at = window ? day.hits.at : event
      const { from, to } = window ?? { from: -Infinity, to: Infinity }
      for (let p = 0, v = 0; p < day.props.count; p++) {
        const h = day.props.hit[p]!
        while (firstHit[v + 1]! <= h) v++
        if ((mask !== null && mask[v] === 0) || (met !== null && met[h] === 0) || gone?.[event[h]!] === 1) continue
        if (at[h]! >= from && at[h]! < to) tally.hit(day.props.key[p]!, v, h)
      }
    },
  }
}
