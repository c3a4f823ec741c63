/** Messages about events and their deletion. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('events', {
  the_event_and_its_history_are: 'The event and its history have been deleted.',
  the_event_could_not_be_deleted: 'The event could not be deleted.',
  the_event_and_its_history_are_2: 'The event and its history are being deleted.',
  event_deletion: 'The event "{name}" is being deleted; {progress} % of the days are done.',
  not_sent: '{field} must be a name that the site sends; {name} is the display name of {names}.',
  event_name_taken: 'Another event already has the display name "{name}". To combine events, use {merge}.',
  property_name_taken: 'Another property of the site already has this display name.',
  never_seen: 'Never seen',
  first_seen: 'First {when}',
  last_seen: 'last {when}',
  event_hidden: 'Lists of events leave this one out.',
  event_figures: 'Figures of the event',
  numbers: 'Properties that are numbers',
  property: 'Property',
  no_event: 'No event came in this period.',
  send_event:
    'Events are what visitors do: sign up, buy, click. Downloads and outbound links are counted by themselves; send others with {code}.',
  name_of_event: 'the name of the event',
  which_event: 'Event',
  shown_as: 'Show it as',
  shown_as_help: 'The name in reports, also for the past. Filters take both names; goals and funnels need the name that the site sends.',
  left_out: 'Leave it out of lists',
  left_out_help: 'Its hits are kept.',
  currency_help: 'Of amounts that are sent without a currency.',
  which_events: 'Events that are one',
  add_event: 'Add an event',
  one_name: 'Their name',
  one_name_help: 'A visitor of several of them counts once, also in the past.',
})
