/** Days and texts of the sites of a group, as if they were one site. */
import { LRUCache } from 'lru-cache'
import { confirmVersion } from '../../../snapshots/snapshots.ts'
import type { Db } from '../../../store.ts'
import type { Member } from '../../vocabulary/scope.ts'
import type { DayCache } from '../day-cache.ts'
import { daysOf } from '../days-of.ts'
import type { Dictionaries } from '../dictionary.ts'
import type { DayLoader } from '../load-days.ts'
import type { MeasureCache } from '../read-measures.ts'
import type { Source } from '../source.ts'
import { groupLoader, type PartsOf } from './group-loader.ts'
import { groupMeasures } from './group-measures.ts'
import { GroupMemory, groupTexts } from './group-texts.ts'

export interface Group {
  readonly members: readonly Member[]
  /** As `Scope` says. */
  readonly isClockTime: boolean
}

interface OpenGroups {
  /** Limit for what is kept of groups besides their days. */
  readonly bytes: number
  readonly cache: DayCache
  readonly measures: MeasureCache
  readonly loader: DayLoader
  readonly dictionaries: Dictionaries
}

/** Most groups of which something is kept. */
const GROUPS = 100

export function openGroups({ bytes, cache, measures, loader, dictionaries }: OpenGroups): (db: Db, group: Group) => Source {
  const groups = new LRUCache<string, GroupMemory>({ max: GROUPS, maxSize: bytes, sizeCalculation: one => 1 + one.bytes })
  /** Sites have keys above 0 in the cache of days. */
  let lastKey = 0
  return (db, { members, isClockTime }) => {
    const name = members.map(({ site }) => site).join()
    const memory = groups.get(name) ?? new GroupMemory(() => --lastKey)
    const texts = groupTexts(db, { members, memory, dictionaries })
    const partsOf: PartsOf = new WeakMap()
    const { load } = groupLoader(db, { members, memory, texts, cache, loader, partsOf })
    return {
      texts,
      measures: groupMeasures({ partsOf, texts, each: members.map(({ site }) => measures.in(db, site)) }),
      async days(from, to, request) {
        const list = await memory.days(db, { members, isClockTime, from, to })
        await texts.of('event') // an id may have got another text, so that days in memory are wrong
        await confirmVersion(db)
        groups.set(name, memory) // its size has changed
        loader.begin()
        return daysOf(cache, { key: memory.key, load }, { from, to, list, request })
      },
    }
  }
}
