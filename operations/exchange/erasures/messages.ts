/** Messages about erasures. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('erasures', {
  domain_of_site: 'the domain of the site',
  whole_days: 'An erasure covers whole days, so {field} cannot be {period}. For example, use today, or from and to.',
  too_many_open: 'At most {most} erasures of a site run at a time. Wait until one has finished.',
  rule_without_filters: 'A traffic rule has conditions of its own: leave out {field}.',
  no_rule: 'The site has no such traffic rule.',
  not_by_person:
    '{field} cannot select what is deleted: once the first visit of a person is deleted, the next one is the first. Use visits without it.',
  no_such_value: 'No property of the site has this value, nor a hash of it.',
  with_value: 'Visits with a certain value of a property',
  value_label: 'Value of a person',
  started: 'Visits are being erased.',
  which_where: 'Only visits where',
  which_help: 'Without a condition, all visits of the period are erased.',
  add_condition: 'Add a condition',
  preview_none: 'No visit of the period meets these conditions.',
  preview:
    'This erases {visits, plural, one {# visit} other {# visits}} from {from} to {to}: {share} of all visits of the period, on {days, plural, one {# day} other {# days}}.',
  preview_hits:
    'This erases hits of {visits, plural, one {# visit} other {# visits}} from {from} to {to}, {share} of all visits of the period. {whole, plural, =0 {No visit disappears} one {# visit disappears} other {# visits disappear}}, others are repaired.',
  preview_contents: 'This includes {pageviews} pageviews, {events} events and {revenue} of revenue.',
  preview_all: 'These are all visits of the period.',
  preview_imported:
    'Imported totals of {days, plural, one {# day} other {# days}} of the period stay, because they cannot be divided by visits. To remove them, undo their import.',
  consequences: 'Consequences',
  consequence_for_good:
    'The visits are deleted for good, with all of their pages and events, also from copies. No one can bring them back.',
  consequence_reports: 'All reports change, including reports that you have already shared. Mails and exports that were sent stay.',
  consequence_later: 'New visits are counted as before. To keep them out, create a traffic rule.',
  type_domain: 'Type {domain} to confirm',
  erased: 'Erased',
  erasure_of: '{from} to {to}',
  all_visits: 'All visits',
  by_rule: 'Traffic rule: {kind} {value}',
  so_far:
    '{visits, plural, one {# visit} other {# visits}}, {pageviews, plural, one {# pageview} other {# pageviews}}, {events, plural, one {# event} other {# events}}',
})
