/** The subject of a report in the engine: a site, or the sites of a group together. */
import type { Scope } from '../../../storage/engine/vocabulary/scope.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Applied } from './applied.ts'

/** All visits of a site or a group, of which spans are instants or whole days. */
export const everythingOf = ({ number, members, timezone }: LiveSite): Scope => ({
  site: number,
  where: [],
  goals: [],
  zone: timezone,
  ...(members && { members: members.map(one => ({ site: one.number, id: one.id, zone: one.timezone })) }),
})

export const queryOf = ({ site, where, goals, calendar, members, isClockTime }: Applied): Scope => ({
  site: site.number,
  where,
  goals,
  calendar,
  members,
  isClockTime,
  zone: site.timezone,
})
