/** Takes hits that a site's own server sends for its visitors, and counts those that are left out, by reason. */
import type { Caller } from '../../../runtime/table/caller.ts'
import type { LiveSite } from '../sites/records.ts'
import type { Collector } from './collector.ts'
import { parsePlausible } from './formats/plausible.ts'
import type { SentHit } from './hit.ts'

export interface ServerHits {
  /** Counts one that is left out. */
  leave(reason: string): void
  /** @param fields as for `POST /api/event`; other sites than this one are ignored @returns undefined if one of them is wrong */
  read(fields: Readonly<Record<string, unknown>>): SentHit | undefined
  /** @returns how many of the hits count */
  store(hits: readonly SentHit[]): Promise<number>
  /** How many were left out for one of the reasons, in their order. */
  leftOut<Reason extends string>(reasons: readonly Reason[]): { reason: Reason; count: number }[]
}

export function serverHits({ site, caller, collector }: { site: LiveSite; caller: Caller; collector: Collector }): ServerHits {
  const left = new Map<string, number>()
  const leave = (reason: string) => void left.set(reason, (left.get(reason) ?? 0) + 1)
  return {
    leave,
    read({ d: _, domain: __, ...fields }) {
      const parsed = parsePlausible({ ...fields, domain: site.domain ?? site.id })
      const [hit] = 'hits' in parsed ? parsed.hits : []
      return hit && { ...hit, site: { by: 'id', value: site.id } }
    },
    async store(hits) {
      if (hits.length === 0) return 0
      const received = await collector.receive(hits, { ip: '', userAgent: '', acceptLanguage: '', caller })
      const dropped = received.flatMap(each => ('dropped' in each ? [each.dropped] : []))
      dropped.forEach(leave)
      return received.length - dropped.length
    },
    leftOut: reasons => reasons.flatMap(reason => (left.has(reason) ? [{ reason, count: left.get(reason) ?? 0 }] : [])),
  }
}
