/** Messages about merges of sites. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('merges', {
  domain_of_site: 'the domain of the site that is emptied',
  no_site: 'You may manage no such other site of this workspace.',
  same_site: 'A site cannot be merged into itself.',
  other_currency: 'The amounts of {domain} are in {theirs}, of this site in {ours}. Sites of two currencies cannot be merged.',
  is_busy:
    'Another task goes through the history of one of these sites: an import, an export, a deletion or a merge. Wait until it has finished.',
  started: 'The history is moving.',
  moved: 'The history has moved.',
  consequences: 'Consequences',
  consequence_for_good: 'This cannot be undone: afterwards no one can say which visit came from which site.',
  consequence_names: 'Hits of {domain} and of its other names then count for the other site.',
  consequence_records: 'Goals, segments, alerts and other records of {domain} stay with it. It is empty, and you can delete it.',
  type_domain: 'Type {domain} to confirm',
  into: 'Into the site',
  people_move: '{people, plural, one {# person moves along.} other {# people move along.}}',
  people_stay: 'The other site identifies no people: the visits of {people, plural, one {# person} other {# people}} move without them.',
  preview:
    'This moves {visits, plural, one {# visit} other {# visits}} of {days, plural, one {# day} other {# days}}. On {both, plural, one {# day} other {# days}} both sites have visits: all of them stay, each as its own.',
})
