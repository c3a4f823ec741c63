/** Messages of the page detail. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('pages', {
  journeys_from_here: 'Journeys from here',
  open_page: 'Open the page',
  page_figures: 'Figures of the page',
  before_page: 'Before this page',
  after_page: 'After this page',
  no_page_event: 'No event came from this page in this period.',
  times: 'Times',
  how_far_read: 'How far it is read',
  saw_at_least: 'Saw at least',
  no_scroll: 'No visit reported how far it scrolled.',
  clicks: 'Clicks',
  no_click: 'No click came from this page in this period.',
  clicks_say: 'Where {count} clicks were on the page; the list of elements says which',
  element: 'Element',
})
