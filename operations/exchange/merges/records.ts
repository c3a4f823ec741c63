/** A merge moves the history of a site into another of the same workspace. */
import { Type } from '@sinclair/typebox'
import { CalendarDay, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import type { SiteMergeRow } from '../../../storage/tables/index.ts'

export const ids = { site_merge: idKind('mrg_') }

const count = (description: string) => Type.Integer({ unit: 'count', description })

export const MergePreview = record(
  'MergePreview',
  {
    site_id: Type.String({ description: 'The site that gives its history.' }),
    into_site_id: Type.String({ description: 'The site that gets it.' }),
    visits: count('Visits that would move.'),
    pageviews: count('Pageviews that would move.'),
    events: count('Custom events that would move.'),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue that would move, in minor units of the currency of the sites.' }),
    days: Type.Integer({ unit: 'days', description: 'Days with visits that would move.' }),
    shared_days: Type.Integer({ unit: 'days', description: 'Days on which both sites have visits.' }),
    first_day: Nullable(CalendarDay(), { description: 'First day that would move; null without visits.' }),
    last_day: Nullable(CalendarDay(), { description: 'Last day that would move; null without visits.' }),
    imports: count('Imports whose totals would move.'),
    people: count('People who would move; 0 if the other site identifies no people.'),
    people_left: count('People who would stay, so that their visits move without them: all, if the other site identifies no people.'),
    is_cut_again: Type.Boolean({ description: 'Whether the time zones differ, so that days are cut again.' }),
    aliases: Type.Array(Type.String(), { description: 'Names whose hits would then count for the other site.' }),
  },
  'The visits and records that a merge would move.',
)

export const SiteMerge = record(
  'SiteMerge',
  {
    id: Type.String({ description: 'Prefix `mrg_`.' }),
    site_id: Type.String({ description: 'The site that gives its history.' }),
    domain: Type.String({ description: 'Domain that it had.' }),
    into_site_id: Type.String({ description: 'The site that gets it.' }),
    state: OneOf(['running', 'finished'], { description: 'Whether visits are still moving.' }),
    progress: Type.Integer({ unit: 'percent', description: 'Percent of the days that have moved.' }),
    visits: count('Visits moved so far.'),
    hits: count('Pageviews and events moved so far.'),
    requested_at: DateTime({ description: 'When the merge was requested.' }),
    finished_at: Nullable(DateTime(), { description: 'When the last visit had moved.' }),
  },
  'The merge of a site into another.',
)

export const toSiteMerge = (row: SiteMergeRow): Static<typeof SiteMerge> => ({
  id: row.id,
  site_id: row.site_id,
  domain: row.domain,
  into_site_id: row.into_site_id,
  state: row.finished_at === null ? 'running' : 'finished',
  progress: row.progress,
  visits: row.visits,
  hits: row.hits,
  requested_at: iso(row.requested_at),
  finished_at: iso(row.finished_at),
})
