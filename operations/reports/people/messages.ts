/** Messages of the pages about people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('people', {
  person: 'Person {id}',
  no_part: '{field} is not a cursor of this export. Send `next_cursor` of an answer unchanged.',
  identity_off: 'This site identifies no visitors.',
  identity_off_help:
    'Once you may identify visitors, for example customers who have signed in and agreed, you see each of them here with their visits, pages and purchases, and how many come back.',
  none_yet: 'No visitor was identified yet.',
  none_yet_help: 'Each page that knows its visitor says so, with the id that your site uses and the traits that you declared:',
  switch_on: 'Open the setting',
  what_is_stored: 'Stored data',
  last_seen: 'seen {when}',
  known_since: 'known since {when}',
  traits: 'Traits',
  no_traits: 'No trait was sent.',
  visits: 'Visits',
  all_visits: 'All {count, number} visits',
  no_visits: 'No visit is stored any more.',
  sources: 'Where they came from',
  export: 'Everything about this person',
  export_help: 'For a request of the person: everything that is stored, as text to pass on.',
  lasted: '{duration}, {pages, plural, one {# page} other {# pages}}',
  delete_now: 'At once: the id, the traits, and this page.',
  delete_visits:
    '{visits, plural, one {Their one visit} other {All # visits}} with {pageviews, plural, one {one pageview} other {# pageviews}}, from all reports. Figures of past days become smaller.',
  delete_later: 'In the background: copies of these visits. “Deletions of people” in the site settings shows the progress.',
  delete_stays: 'Not included: exports that were made before, backups, and later visits with the same id, which belong to a new person.',
  delete_forever: 'This cannot be undone.',
})
