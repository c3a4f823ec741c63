/** An alert of each kind, as a caller would create it. */
import type { Example } from '../../../runtime/table/operation-fields.ts'

const site_id = '{{site}}'

export const ofEachKind = [
  {
    summary: 'A metric against a threshold',
    input: { name: 'Few visitors', kind: 'threshold', site_id, metric: 'visitors', operator: 'lt', threshold: 10 },
  },
  {
    summary: 'Unusual drops',
    input: { name: 'Unusual drop', kind: 'anomaly', site_id, metric: 'pageviews', operator: 'lt', sensitivity: 'high' },
  },
  {
    summary: 'Completions of a goal',
    input: { name: 'Ten signups', kind: 'goal', site_id, goal_id: '{{goal}}', threshold: 10, window_minutes: 1440 },
  },
  { summary: 'Silence', input: { name: 'No hits', kind: 'no_data', site_id, threshold: 6 } },
  { summary: 'Use of the plan', input: { name: 'Nearly used up', kind: 'usage', threshold: 90 } },
  { summary: 'Uptime checks of a site', input: { name: 'Down', kind: 'uptime', site_id } },
  { summary: 'Certificates of a site', input: { name: 'Certificate expires', kind: 'ssl', site_id } },
  { summary: 'Web vitals', input: { name: 'Slow pages', kind: 'vitals', site_id, metric: 'lcp', threshold: 2500 } },
] as const satisfies Example[]
