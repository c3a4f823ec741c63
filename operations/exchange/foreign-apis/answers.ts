/** Answers of the operations that APIs of other products call. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { EventProperty } from '../../reports/events/records.ts'
import type { Live } from '../../reports/live/records.ts'
import type { QueryTable, Timeseries } from '../../reports/stats/index.ts'
import type { Goal } from '../../sites/goals/records.ts'
import type { Site } from '../../sites/sites/records.ts'
import type { VisitList, VisitTimeline } from '../../reports/visits/records.ts'
import type { SharedLink } from '../sharing/records.ts'

export type OwnSite = Static<typeof Site>
export type OwnGoal = Static<typeof Goal>
type OwnVisits = Static<typeof VisitList>
export type OwnVisit = OwnVisits['rows'][number]
export type OwnVisitTimeline = Static<typeof VisitTimeline>
type OwnLink = Static<typeof SharedLink>

export interface Answers {
  readonly caller_get: {
    readonly email: string
    readonly name: string
    readonly workspace_id: string
    readonly workspace_name: string
    readonly permissions: readonly string[]
  }
  readonly event_properties_list: readonly Static<typeof EventProperty>[]
  readonly goals_create: OwnGoal
  readonly goals_delete: OwnGoal
  readonly goals_list: readonly OwnGoal[]
  readonly hits_create: { readonly stored: number }
  readonly live_get: Static<typeof Live>
  readonly shared_links_create: OwnLink
  readonly shared_links_list: readonly OwnLink[]
  readonly sites_create: OwnSite
  readonly sites_delete: OwnSite
  readonly sites_get: OwnSite
  readonly sites_list: readonly OwnSite[]
  readonly sites_update: OwnSite
  readonly stats_query: Static<typeof QueryTable>
  readonly stats_timeseries: Static<typeof Timeseries>
  readonly visits_get: OwnVisitTimeline
  readonly visits_list: OwnVisits
}

/** The parts of `meta` that the other products have a place for. */
export interface Meta {
  readonly total?: number
  readonly total_pages?: number
  readonly imported?: { readonly included?: boolean }
}

/** An answer, which the operation has checked against its schema. */
export interface Found<O extends keyof Answers> {
  readonly data: Answers[O]
  readonly meta: Meta
}
