/** Messages of shared links: their public texts, and faults of their fields. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sharing', {
  the_link_may_have_ended_or: 'The link may have expired or be incomplete. Ask the sender for a new one.',
  reports_require_a_password: '{name}: these reports require a password.',
  show: 'Show',
  too_many_links: 'A site may have at most {most} shared links.',
  wrong_password: 'This is not the password of the link.',
  expires_in_past: '{field} must be in the future.',
  not_a_dimension: '{field} must be one of {values}; received {received}.',
  not_an_origin: '{field} must be an origin like https://www.example.com; received {received}.',
  unknown_segment: '{field} must be the id of a segment of this site.',
  unknown_dashboard: '{field} must be the id of a dashboard of the workspace.',
  nothing_shown: '{field} must name a report if no dashboard is shown.',
  report_keeps_no_segment: '{report} cannot be restricted to a segment.',
  report_keeps_no_days: '{report} cannot be limited to the last days.',
  report_shows_revenue: '{report} shows revenue: set show_revenue, or omit the report.',
  report_shows_others: '{report} shows {others} as well: list them in dimensions, or omit the report.',
  dashboard_keeps_no_segment: 'A dashboard cannot be restricted to a segment.',
  dashboard_keeps_no_days: 'A dashboard cannot be limited to the last days.',
  dashboard_keeps_no_dimensions: 'A dashboard cannot be limited to some dimensions.',
  in_a_page: 'In a page of yours',
  with_password: 'with a password',
  never_opened: 'Never opened',
  opened_often: 'Opened {count} times, last {when}',
})
