/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('crawler_reports', {
  not_seen: 'No crawler of this name was seen in these days.',
  days_reversed: '{to} must not be before {from}.',
  too_many_days: 'These may be at most {most} days.',
  // What it costs to keep crawlers of a category out
  search_blocked: 'Search engines forget the site: their visits end.',
  ai_training_blocked: 'Models of later on know less of the site; answers that cite it come from AI search and assistants.',
  ai_search_blocked: 'AI answers no longer cite the site.',
  ai_assistant_blocked: 'Assistants cannot read a page that a person asks them about.',
  seo_blocked: 'Tools for search engine optimisation, one’s own as well, see less of the site.',
  preview_blocked: 'Links in messengers and social networks show no preview.',
  monitor_blocked: 'Monitors no longer see whether the site is up.',
  feed_blocked: 'Feed readers no longer get new articles.',
  archive_blocked: 'Archives no longer keep copies.',
  other_blocked: 'Of these only those with a name of their own are kept out.',
})
