/** Names of the segment and the goals of a report, which belong to any of its sites. */
import type { Static } from '../../../runtime/table/schema.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { Goal } from '../../sites/goals/records.ts'
import { Segment } from '../../sites/segments/records.ts'
import { namesOf } from './mailing-facts.tsx'
import type { EmailReport } from './records.ts'

type Report = Static<typeof EmailReport>

/** @returns an empty text if it has no segment, or the viewer may not list segments */
export async function segmentOf({ segment_id, site_ids }: Report, page: ViewedPage): Promise<string> {
  if (segment_id === null) return ''
  const found = await Promise.all(site_ids.map(site_id => page.ask(listOf(Segment), { per_page: 100, site_id })))
  return namesOf(
    [segment_id],
    found.flatMap(rows => rows ?? []),
  ).join(', ')
}

/** @returns an empty text if it has no goals, or the viewer may not list goals */
export async function goalsOf({ goal_ids, site_ids }: Report, page: ViewedPage): Promise<string> {
  if (goal_ids.length === 0) return ''
  const found = await Promise.all(site_ids.map(site_id => page.ask(listOf(Goal), { per_page: 100, site_id })))
  return namesOf(
    goal_ids,
    found.flatMap(rows => rows ?? []),
  ).join(', ')
}
