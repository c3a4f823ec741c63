/** Messages about crawlers, and consequences of blocking them. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('crawler_reports', {
  not_seen: 'No crawler with this name was seen in these days.',
  days_reversed: '{to} must not be before {from}.',
  too_many_days: 'The range can have at most {most} days.',
  lines_to_add: 'Add these lines to your robots.txt',
  consequence: 'Consequence',
  // Consequences of blocking the crawlers of a category
  search_blocked: 'Search engines remove the site, and visits from them end.',
  ai_training_blocked: 'Later models know less about the site. AI search and assistants can still cite it.',
  ai_search_blocked: 'AI answers no longer cite the site.',
  ai_assistant_blocked: 'Assistants cannot read a page that a person asks them about.',
  seo_blocked: 'Tools for search engine optimization, including your own, see less of the site.',
  preview_blocked: 'Links in messengers and social networks show no preview.',
  monitor_blocked: 'Monitoring services no longer see whether the site is up.',
  feed_blocked: 'Feed readers no longer get new articles.',
  archive_blocked: 'Archives no longer keep copies.',
  other_blocked: 'Only those with a known name are blocked.',
})
