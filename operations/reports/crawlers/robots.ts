/** Writes robots.txt lines by category, with their consequences. */
import type { Message } from '../../../runtime/texts/message.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { dayStart } from '../../../storage/calendar/zones.ts'
import { type Category, known } from '../../sites/crawlers/records.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Engine } from '../stats/index.ts'
import { m } from './messages.ts'
import { AI, fromChannel } from './page-visits.ts'
import type { Robots } from './records.ts'

/** The consequence of blocking a category, and the channel of the visitors that it sends. */
const costs: Readonly<Record<Category, { readonly channel: string | null; readonly cost: Message }>> = {
  search: { channel: 'Organic Search', cost: m.search_blocked() },
  ai_training: {
    channel: null,
    cost: m.ai_training_blocked(),
  },
  ai_search: { channel: AI, cost: m.ai_search_blocked() },
  ai_assistant: { channel: AI, cost: m.ai_assistant_blocked() },
  seo: { channel: null, cost: m.seo_blocked() },
  preview: { channel: 'Organic Social', cost: m.preview_blocked() },
  monitor: { channel: null, cost: m.monitor_blocked() },
  feed: { channel: null, cost: m.feed_blocked() },
  archive: { channel: null, cost: m.archive_blocked() },
  other: { channel: null, cost: m.other_blocked() },
}

interface RobotsFor {
  readonly block: readonly Category[]
  readonly requests: ReadonlyMap<string, number>
  readonly engine: Engine
  readonly site: LiveSite
  readonly today: number
}

/** @param requests of the last 30 days by crawler */
export async function robotsFor({ block, requests, engine, site, today }: RobotsFor): Promise<Static<typeof Robots>> {
  const blocked = []
  for (const category of block) {
    const crawlers = known
      .filter(each => each.category === category)
      .map(({ name }) => name)
      .sort()
    const { channel, cost } = costs[category]
    blocked.push({
      category,
      crawlers,
      recent_requests: crawlers.reduce((sum, name) => sum + (requests.get(name) ?? 0), 0),
      recent_visits: channel === null ? 0 : await visitsBy(engine, { site, today, channel }),
      cost,
    })
  }
  const groups = blocked
    .filter(({ crawlers }) => crawlers.length > 0)
    .map(({ category, crawlers }) => `# ${category}\n${crawlers.map(name => `User-agent: ${name}\n`).join('')}Disallow: /\n`)
  return { robots_txt: groups.join('\n'), blocked }
}

async function visitsBy(
  engine: Engine,
  { site: { number, timezone }, today, channel }: { site: LiveSite; today: number; channel: string },
): Promise<number> {
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
