import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('visits', {
  not_listed: 'This site does not list single visits ({visit_list} is off).',
  no_place: '{field} is not a cursor of this list. Send `next_cursor` of an answer unchanged.',
  not_shared: 'A shared link does not list visits by {field}, because it does not identify people.',
  none: 'There were no visits in this period.',
  began: 'Began',
  from_to: 'Pages',
  came_from: 'Came from',
  visitor: 'Visitor',
  reached: 'Reached',
  pages_count: '{count, plural, one {# page} other {# pages}}',
  older: 'Older visits',
  newest: 'Newest visits',
  what_happened: 'Timeline',
  stayed: 'read for {duration}',
  scrolled: 'seen to {percent}',
  the_person: 'The person',
  more_steps: 'More of this visit',
  other_properties: 'Some properties are not shown, because they are not marked as safe to export.',
  help: 'Visits have no address and no name, and nothing links the visits of a visitor over several days.',
})
