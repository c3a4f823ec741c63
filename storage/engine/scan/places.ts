/**
 * Where a hit was: its host, or its address of host and page. An address has no dictionary: each pair of ids gets a number when it is first
 * seen, so a query numbers only addresses that occur. (Every `!` is inside bounds.)
 */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { DayColumns } from '../days/day.ts'
import { columnsRead, type Reads } from '../days/reads.ts'
import type { Texts } from '../days/texts.ts'

export type PlaceName = 'hostname' | 'url'

/** The places of one dimension, by number. */
export interface Places {
  readonly of: PlaceName
  readonly reads: Reads
  /** How many there are so far. */
  count(): number
  name(place: number): string
  /** The place of each hit of a day. Valid until those of another day are requested. */
  column(day: DayColumns): Column
}

export const isPlace = (name: string): name is PlaceName => name === 'hostname' || name === 'url'

export async function placesOf(of: PlaceName, texts: Texts): Promise<Places> {
  const hosts = await texts.of('hostname')
  if (of === 'url') return urlsOf(hosts, await texts.of('page'))
  return {
    of,
    reads: columnsRead('visits.firstHit', 'hits.host'),
    count: () => hosts.length,
    name: host => hosts[host] ?? '',
    column: day => day.hits.host,
  }
}

/** Hosts whose pages are numbered by arrays; pages of other hosts are in one map, as invented hosts may be many. */
const MAX_ARRAYS = 32

function urlsOf(hosts: readonly string[], pages: readonly string[]): Places {
  const found: { readonly host: number; readonly page: number }[] = []
  /** One more than the place of each page; 0 for none. */
  const ofHost = new Map<number, Uint32Array>()
  const others = new Map<number, number>()
  const buffer = reusedBuffer(Uint32Array)
  let last: { readonly day: DayColumns; readonly column: Uint32Array } | undefined

  function placeOf(host: number, page: number): number {
    let known = ofHost.get(host)
    if (!known && ofHost.size < MAX_ARRAYS) ofHost.set(host, (known = new Uint32Array(pages.length)))
    const key = host * pages.length + page
    const before = known ? known[page]! : (others.get(key) ?? 0)
    if (before > 0) return before - 1
    const place = found.push({ host, page })
    if (known) known[page] = place
    else others.set(key, place)
    return place - 1
  }

  return {
    of: 'url',
    reads: columnsRead('visits.firstHit', 'hits.host', 'hits.page'),
    count: () => found.length,
    name(place) {
      const at = found[place]
      return at ? `${hosts[at.host] ?? ''}${pages[at.page] ?? ''}` : ''
    },
    column(day) {
      if (last?.day === day) return last.column
      const { count, host, page } = day.hits
      const column = buffer(count)
      for (let h = 0; h < count; h++) column[h] = placeOf(host[h]!, page[h]!)
      last = { day, column }
      return column
    },
  }
}

/** A test of the place of a hit. */
export interface PlaceTest {
  readonly of: PlaceName
  readonly reads: Reads
  /** 1 for the hits that pass. Valid until those of another day are requested. */
  bits(day: DayColumns): Uint8Array
}

/** @param passes runs once for each place that occurs */
export function placeTest(places: Places, passes: (name: string) => boolean): PlaceTest {
  let known = new Uint8Array(0)
  const buffer: ReusedBuffer<Uint8Array> = reusedBuffer(Uint8Array)
  return {
    of: places.of,
    reads: places.reads,
    bits(day) {
      const column = places.column(day)
      const { length: judged } = known
      if (judged < places.count()) {
        const longer = new Uint8Array(places.count())
        longer.set(known)
        for (let place = judged; place < longer.length; place++) longer[place] = passes(places.name(place)) ? 1 : 0
        known = longer
      }
      const bits = buffer(day.hits.count)
      for (let h = 0; h < bits.length; h++) bits[h] = known[column[h]!]!
      return bits
    },
  }
}

/** Places with ids that do not depend on what is found: for keys of several dimensions. */
export interface WidePlaces {
  /** One more than the highest id. */
  readonly size: number
  readonly reads: Reads
  name(id: number): string
  /** Writes the id of each hit. */
  ids(day: DayColumns, into: Float64Array): void
}

export async function widePlacesOf(of: PlaceName, texts: Texts): Promise<WidePlaces> {
  const hosts = await texts.of('hostname')
  const pages = of === 'url' ? await texts.of('page') : ['']
  const { length } = pages
  return {
    size: hosts.length * length,
    reads: of === 'url' ? columnsRead('visits.firstHit', 'hits.host', 'hits.page') : columnsRead('visits.firstHit', 'hits.host'),
    name: id => `${hosts[Math.floor(id / length)] ?? ''}${pages[id % length] ?? ''}`,
    ids(day, into) {
      const { host } = day.hits
      if (of === 'hostname') for (let h = 0; h < into.length; h++) into[h] = host[h]!
      else {
        const { page } = day.hits
        for (let h = 0; h < into.length; h++) into[h] = host[h]! * length + page[h]!
      }
    },
  }
}
