/** Lines for robots.txt by category, and what they cost. */
import type { Static } from '../../../runtime/table/schema.ts'
import { dayStart } from '../../../storage/calendar/zones.ts'
import { type Category, known } from '../../sites/crawlers/records.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Engine } from '../stats/index.ts'
import { AI, fromChannel } from './pages.ts'
import type { Robots } from './records.ts'

/** The consequence of blocking a category, and the channel of the visitors that it sends. */
const costs: Readonly<Record<Category, { readonly channel: string | null; readonly text: string }>> = {
  search: { channel: 'Organic Search', text: 'Search engines forget the site: their visits end.' },
  ai_training: {
    channel: null,
    text: 'Models of later on know less of the site; answers that cite it come from AI search and assistants.',
  },
  ai_search: { channel: AI, text: 'AI answers no longer cite the site.' },
  ai_assistant: { channel: AI, text: 'Assistants cannot read a page that a person asks them about.' },
  seo: { channel: null, text: 'Tools for search engine optimisation, one’s own as well, see less of the site.' },
  preview: { channel: 'Organic Social', text: 'Links in messengers and social networks show no preview.' },
  monitor: { channel: null, text: 'Monitors no longer see whether the site is up.' },
  feed: { channel: null, text: 'Feed readers no longer get new articles.' },
  archive: { channel: null, text: 'Archives no longer keep copies.' },
  other: { channel: null, text: 'Of these only those with a name of their own are kept out.' },
}

/** @param requests of the last 30 days by crawler */
export async function robotsFor(
  block: readonly Category[],
  requests: ReadonlyMap<string, number>,
  engine: Engine,
  site: LiveSite,
  today: number,
): Promise<Static<typeof Robots>> {
  const blocked = []
  for (const category of block) {
    const crawlers = known
      .filter(each => each.category === category)
      .map(({ name }) => name)
      .sort()
    const { channel, text } = costs[category]
    blocked.push({
      category,
      crawlers,
      recent_requests: crawlers.reduce((sum, name) => sum + (requests.get(name) ?? 0), 0),
      recent_visits: channel === null ? 0 : await visitsBy(engine, site, today, channel),
      cost: text,
    })
  }
  const groups = blocked
    .filter(({ crawlers }) => crawlers.length > 0)
    .map(({ category, crawlers }) => `# ${category}\n${crawlers.map(name => `User-agent: ${name}\n`).join('')}Disallow: /\n`)
  return { robots_txt: groups.join('\n'), blocked }
}

async function visitsBy(engine: Engine, { number, timezone }: LiveSite, today: number, channel: string): Promise<number> {
  const [fromDay, toDay] = [today - 29, today]
  const span = { from: dayStart(timezone, fromDay), to: dayStart(timezone, toDay + 1), fromDay, toDay, whole: true }
  const { series } = await engine.query({
    site: number,
    where: fromChannel(channel),
    goals: [],
    asked: { report: 'totals', series: [[span]] },
  })
  return series[0]?.[0]?.visits ?? 0
}
