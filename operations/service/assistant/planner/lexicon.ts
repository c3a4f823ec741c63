/** Words and phrases that the planner knows, by what they mean. A phrase that is longer is read first. */
import { m } from '../messages.ts'
import type { Message } from '../../../../runtime/texts/message.ts'

export const metricNames = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'revenue',
  'purchases',
  'average_order',
  'conversions',
  'conversion_rate',
] as const
export type Metric = (typeof metricNames)[number]

export type Interval = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

/** The meaning of a phrase. */
export type Meaning =
  | { readonly kind: 'metric'; readonly metric: Metric; readonly isWeak?: true }
  | { readonly kind: 'dimension'; readonly dimension: string }
  | { readonly kind: 'interval'; readonly interval: Interval }
  | { readonly kind: 'unit'; readonly interval: Interval }
  | { readonly kind: 'change'; readonly direction: 'up' | 'down' | null }
  | { readonly kind: 'against'; readonly against: Against }
  | {
      readonly kind:
        | 'by'
        | 'top'
        | 'worst'
        | 'trend'
        | 'why'
        | 'live'
        | 'uptime'
        | 'overview'
        | 'versus'
        | 'compare'
        | 'not'
        | 'and'
        | 'done'
        | 'where'
        | 'enter'
        | 'leave'
        | 'draft'
        | 'on'
        | 'filler'
    }

/** Ranges that are named by the one they are compared with. */
export type Against = 'before' | 'year_before' | 'same_day_last_week' | 'day_before'

const metrics: Readonly<Record<Metric, string>> = {
  visitors:
    'visitors, visitor, unique visitors, uniques, unique users, traffic, number of people, besucher, audience, people visited, visitor numbers, traffic numbers',
  visits: 'visits, sessions, session, besuche, visit count',
  pageviews: 'pageviews, pageview, page views, page view, views, hits, page impressions, impressions, pages viewed, seitenaufrufe, viewed',
  views_per_visit:
    'pages per visit, views per visit, pageviews per visit, page views per visit, pages per session, views per session, pages per visitor',
  bounce_rate: 'bounce rate, bounce rates, bouncerate, bouncing rate',
  visit_duration:
    'visit duration, visit durations, session duration, duration of visits, duration of a visit, time on site, time on the site, time on our site, how long, visit length, length of visits, length of a visit, time per visit, duration, time spent, time spent on the site, time spent on our site',
  revenue:
    'revenue, revenues, money, turnover, sells, sell, sold, selling, earnings, how much did we earn, did we earn, umsatz, makes the most money, spend, spent, spending, money spent',
  purchases: 'purchases, orders, sales, transactions, number of sales, number of orders',
  average_order: 'average order value, average order, order value, aov, average purchase, average basket, basket size',
  conversions: 'conversions, conversion, completions, goal completions',
  conversion_rate: 'conversion rate, conversion rates, converting rate, cvr',
}
/** `how long do people spend on the site` does not ask about money. */
const timeSpent = ['how long', 'how much time', 'time'].flatMap(time =>
  ['do', 'did', 'does', 'is', ''].flatMap(verb =>
    ['people', 'visitors', 'visitor', 'users', 'they', 'mobile visitors', 'desktop visitors', ''].map(who =>
      [time, verb, who, verb === 'is' ? 'spent' : 'spend'].filter(Boolean).join(' '),
    ),
  ),
)

/** Words that mean visitors if the question names no other metric. */
const weak =
  'people, users, user, anyone, anybody, visited, visit, visiting, visitor count, folks, come, comes, came, coming, readers, guests'

const dimensions: Readonly<Record<string, string>> = {
  page: 'pages, page, article, articles, posts, post, blog posts, urls, url, content, do people look at most, do visitors look at most, do people read most, do people look at, do visitors look at, do they look at',
  entry_page: 'landing pages, landing page, entry pages, entry page, entrance pages, entrance page, entries by page',
  exit_page: 'exit pages, exit page',
  source: 'sources, source, traffic sources, traffic source, who sends us, who sends, who refers, where from',
  referrer: 'referrers, referrer, referers, referer, referring sites, referring site, referring pages, referring websites, linking sites',
  channel: 'channels, channel, marketing channels, marketing channel, traffic channels',
  country: 'countries, country, nations, nation',
  region: 'regions, region, states, provinces',
  city: 'cities, city, towns, town',
  device: 'devices, device, device types, device type, kind of device, kinds of devices',
  browser: 'browsers, browser, web browsers',
  os: 'operating systems, operating system, os, platforms',
  language: 'languages, language, speak, speaks, speaking, spoken, speaker, speakers',
  screen: 'screen sizes, screen size, screens, resolutions, resolution, screen resolutions, screen resolution',
  utm_campaign: 'campaigns, campaign, utm campaigns, utm campaign, marketing campaigns',
  utm_source: 'utm sources, utm source',
  utm_medium: 'utm mediums, utm medium, mediums, medium',
  utm_term: 'utm terms, utm term',
  utm_content: 'utm content, utm contents',
  event: 'events, event, custom events',
  goal: 'goals, goal',
  weekday: 'weekday, weekdays, day of the week, days of the week, day of week',
  network: 'networks, network, internet providers, internet provider, isps, isp, carriers',
  hostname: 'hostnames, hostname, subdomains, subdomain',
}

const intervals: Readonly<Record<Interval, string>> = {
  hour: 'hourly, per hour, by hour, by the hour, each hour, hour by hour, every hour',
  day: 'daily, per day, by day, by date, each day, day by day, every day, a day',
  week: 'weekly, per week, by week, each week, week by week, every week, a week',
  month: 'monthly, per month, by month, each month, month by month, every month, a month',
  quarter: 'quarterly, per quarter, by quarter, each quarter, quarter by quarter',
  year: 'yearly, annually, annual, per year, by year, each year, year by year',
}
/** The best of them is asked for. */
const units: Readonly<Record<Interval, string>> = {
  hour: 'hour, time of day, time of the day, what time, which hour, hours of the day',
  day: 'day, date, which day, what day',
  week: 'which week, best week, week had',
  month: 'which month, best month, month had',
  quarter: 'which quarter, best quarter',
  year: 'which year, best year',
}

const changes = {
  up: 'increase, increased, increasing, grow, grew, grown, growing, growth, rise, rose, risen, rising, went up, go up, gone up, going up, up, improve in, improved, improving, better, spike, spiked, surge, jump, jumped, gain, gained, gaining, gains, peak in, more',
  down: 'decrease, decreased, decreasing, drop, dropped, dropping, drops, fall, fell, fallen, falling, decline, declined, declining, went down, go down, gone down, going down, down, worse, lose, lost, losing, loss, losses, dip, dipped, shrink, shrank, fewer, less',
  either: 'change, changed, changes, differ, difference, up or down, grow or shrink, better or worse, more or less',
} as const

const againsts: Readonly<Record<Against, string>> = {
  before:
    'the week before, week before, the month before, month before, the year before, the quarter before, the period before, previous period, the previous period, previous week, the previous week, previous month, the previous month, before that, the days before, the weekend before, week over week, month over month, quarter over quarter, the one before',
  year_before:
    'year over year, yoy, same period last year, the same period last year, same time last year, the same time last year, same month last year, same week last year, same period a year ago, a year before, a year earlier, a year ago, the previous year',
  same_day_last_week: 'same day last week, the same day last week, same weekday last week, same day a week ago, same day the week before',
  day_before: 'the day before, day before, previous day, the previous day',
}

/** Phrases of one meaning each. */
const others = {
  by: 'by, per, for each, for every, grouped by, split by, broken down by, according to',
  top: 'top, best, most, most popular, popular, biggest, largest, leading, highest, main, busiest, most used, most common, common, most visited, most important, which, favourite, favorite, ranking, best performing, strongest',
  worst: 'least, worst, least popular, least visited, lowest, fewest, unpopular, smallest, weakest, bottom',
  trend:
    'trend, trends, over time, chart, graph, plot, curve, develop, developed, developing, development, evolve, evolved, evolution, timeline, time series, history, course',
  why: 'why, what caused, cause of, causes of, reason for, reasons for, how come, what is behind, what happened, what explains, explain, whats behind, what was behind',
  live: 'right now, now, live, online, currently, current visitors, current users, currently active, at the moment, at this moment, this minute, active now',
  uptime:
    'uptime, availability, available, site up, website up, shop up, site down, website down, shop down, page down, is it up, is it down, outage, outages, downtime, been down, reachable, site online, site offline',
  overview:
    'how are we doing, how are we, how are things, how is it going, how is the site doing, how is our site doing, how is my site doing, how is the website doing, how is the shop doing, how are we performing, how is the site performing, how did we do, how did the site do, hows it going, how is, hows, going, summary, overview, recap, report, doing, at a glance, performing, key figures, kpis',
  versus:
    'vs, versus, compared to, compared with, compared, in comparison to, in comparison with, comparison, against, than, relative to, as opposed to',
  compare: 'compare',
  not: 'not from, not in, not on, excluding, exclude, without, other than, except for, except from, not counting, but not, outside, outside of, not',
  and: 'and, also, plus, as well as, or, und',
  done: 'signups, signup, sign ups, sign up, signed up, signed up for, signing up, subscribed, subscribed to, completed, complete, completed most, clicked, clicks on, fired, triggered, converted, converting, happened, times, how often, reached, submitted, submissions, occurrences, sent',
  where: 'where',
  enter: 'enter, land on, land, arrive, arrive on, entered, start, enter on',
  leave: 'leave, exit, quit, drop off, left',
  draft:
    'create a goal, make a goal, add a goal, set up a goal, new goal, create goal, add goal, define a goal, track as a goal, as a goal, as goal, count as a conversion, create a conversion goal',
  on: 'under, below, starting with, beginning with, that start with, that begin with, inside',
  filler: `a, an, the, of, to, in, on, at, for, from, with, within, via, through, using, use, used, uses, during, as, is, are, was, were, be, been,
    am, did, do, does, have, has, had, having, get, gets, got, getting, we, our, ours, us, you, your, me, i, my, it, its, they, them, there, that,
    this, these, those, how, many, much, number, count, amount, total, totals, in total, overall, altogether, what, whats, who, whose, show, show me,
    give, give me, tell, tell me, list, find, see, please, can, could, can you, could you, would, like, look, looked, looking, look at, looks, looking at,
    looked at, looking like, ones, lately, recently, of late, these days, site, website, web site, shop, store, so far, only, just, all, any, some, about, kind of, bring, brings, brought, bringing,
    make, makes, made, making, receive, received, generate, generated, send, sends, on average, average, avg, mean, figure, figures, numbers,
    want to know, i want to know, i would like to know, stay, called, named, then, come from, comes from, came from, coming from,
    from where, hi, hey, thanks, thank you, seen, saw, say`,
} as const satisfies Readonly<Record<string, string>>

function phrasesOf<M extends Meaning>(text: string, meaning: M): [string, M][] {
  return text.split(',').map(phrase => [phrase.replace(/\s+/g, ' ').trim(), meaning])
}
const each = <K extends string>(table: Readonly<Record<K, string>>, meaning: (key: K) => Meaning): [string, Meaning][] =>
  (Object.keys(table) as K[]).flatMap(key => phrasesOf(table[key], meaning(key)))

/** In order of precedence: the first entry wins for a phrase that is in two of them. */
export const phrases: ReadonlyMap<string, Meaning> = new Map(
  [
    ...each(metrics, metric => ({ kind: 'metric', metric })),
    ...phrasesOf<Meaning>(timeSpent.join(), { kind: 'metric', metric: 'visit_duration' }),
    ...phrasesOf<Meaning>(weak, { kind: 'metric', metric: 'visitors', isWeak: true }),
    ...each(dimensions, dimension => ({ kind: 'dimension', dimension })),
    ...each(intervals, interval => ({ kind: 'interval', interval })),
    ...each(units, interval => ({ kind: 'unit', interval })),
    ...phrasesOf<Meaning>(changes.up, { kind: 'change', direction: 'up' }),
    ...phrasesOf<Meaning>(changes.down, { kind: 'change', direction: 'down' }),
    ...phrasesOf<Meaning>(changes.either, { kind: 'change', direction: null }),
    ...each(againsts, against => ({ kind: 'against', against })),
    ...each(others, kind => ({ kind })),
  ].toReversed(), // of two entries with one key, a map keeps the last
)

/** Words in the longest phrase. */
export const longestPhrase = Math.max(...[...phrases.keys()].map(phrase => phrase.split(' ').length))
/** Every word of every phrase, for slips of typing. */
export const knownWords: ReadonlySet<string> = new Set([...phrases.keys()].flatMap(phrase => phrase.split(' ')))

/** Reasons why the assistant cannot answer some frequent questions, by a word of the question. */
export const reasons: readonly (readonly [words: RegExp, reason: Message])[] = [
  [/^(new|returning|recurring|repeat|loyal|retention|cohort|cohorts)$/, m.visitors_of_a_day()],
  [/^(will|next|tomorrow|predict|forecast|expect|future|soon)$/, m.not_the_future()],
  [/^(age|ages|old|older|younger|women|woman|men|male|female|gender|income)$/, m.not_who_visitors_are()],
  [/^(median|percentile|p75|p95|maximum|minimum)$/, m.no_medians()],
  [/^(create|delete|remove|change|update|rename|edit)$/, m.changes_nothing()],
]
