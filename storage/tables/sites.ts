/** Sites, and their goals, notes and settings. */
import type { Generated, Selectable } from 'kysely'

export interface SiteTable {
  id: string
  /** Short key of the site in tables of hits. */
  number: Generated<number>
  workspace_id: string
  name: string
  /** Null once the site is deleted, which frees the domain. */
  domain: string | null
  timezone: string
  currency: string
  public: number
  /** ISO weekday, 1 = Monday. */
  week_start: number
  umami_id: string | null
  created_at: number
  /** Set when deleted; its hits are then removed in the background. */
  deleted_at: number | null
}
export type SiteRow = Selectable<SiteTable>

export interface NoteRow {
  id: string
  site_id: string
  at: number
  text: string
  author: string
  created_at: number
  updated_at: number
}

export interface GoalRow {
  id: string
  site_id: string
  name: string
  kind: string
  /** Page pattern with `*`, for page goals. */
  path: string | null
  event: string | null
  property: string | null
  value: string | null
  created_at: number
  updated_at: number
}

export interface SavedSegmentRow {
  id: string
  site_id: string
  name: string
  filters: string
  created_at: number
  updated_at: number
}

export interface SitesTables {
  sites: SiteTable
  notes: NoteRow
  goals: GoalRow
  saved_segments: SavedSegmentRow
}
