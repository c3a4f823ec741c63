import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as prompts from './prompts.ts'
import { goals_preview, segments_preview } from './previews.ts'
import { stats_query } from './query/operation.ts'
import { values_suggest } from './suggestions/operation.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Analytics',
  description: 'The main reports: headline metrics, series over time, and the top values of a dimension.',
  manual: '/documentation/analytics',
  operations: [operations, { stats_query, values_suggest, goals_preview, segments_preview }],
  views: () => import('./pages.tsx'),
  prompts,
  everyday: ['stats_overview', 'stats_aggregate', 'stats_timeseries', 'stats_breakdown', 'stats_query', 'values_suggest'],
  asked: {
    stats_query:
      'cross tabulation, pivot table, two dimensions, by country and device, by source and month, by page and source, combinations, explore, custom report, ad hoc query, table of metrics, breakdown by two dimensions, revenue by channel and month, conversions by source over time, sort by bounce rate, highest bounce rate, highest conversion rate, which source on which device',
    values_suggest:
      'which values, complete a value, autocomplete, suggest, what is the exact name, which campaigns exist, which pages exist, find a page, spelling of a source, look up a value, property names',
    goals_preview: 'what would this goal count, try a goal, test a goal before saving, how often would the goal be reached',
    segments_preview: 'how many visitors match, size of a segment, try a segment, how large is this audience, test filters before saving',
    stats_overview:
      'overview, summary, summarize traffic, at a glance, how is the site doing, dashboard numbers, weekly report, status, performance of the site, recap, how popular is my website, popularity, traffic report, report for a month',
    stats_aggregate:
      'how many people visited, how many people came, total visitors, how many visitors, visitor count, unique users, pageviews, bounce rate, visit duration, time on site, how long people stay, views per visit, how much revenue, sales, headline numbers, totals, compare periods, month over month, versus last month, kpis, number of visitors, number of visits, number of sessions, how many visits, income, goal conversions, year over year, up or down, better than before, how popular, popularity, engagement',
    stats_timeseries:
      'trend, over time, chart, graph, growth, development, per day, per week, per month, by hour, by day, by week, by month, daily, weekly, monthly, hourly, which day, busiest hour, peak, best day, evolution, history of traffic, monday, tuesday, wednesday, thursday, friday, saturday, sunday, weekend, weekday, time of day, seasonality, plot, line, series, develop, since, per minute, curve',
    stats_breakdown:
      'top pages, most popular pages, most viewed articles, best posts, top content, traffic sources, where visitors come from, referrers, referring sites, which countries, cities, regions, languages, devices, mobile or desktop, use mobile, phones, browsers, operating systems, screen sizes, channels, organic search, paid, social, direct, google, bing, chatgpt, ai, newsletter, campaigns, campaign revenue, utm, marketing, landing pages, entry pages, exit pages, leave the site, goals with conversion rate, conversions, revenue by source, share of, ranking, by country, by source, by page, by campaign, by city, by language, by device, by browser, iphone, ios, android, windows, mac, chrome, safari, firefox, facebook, twitter, instagram, linkedin, youtube, reddit, completions of goals, goal completions, best converting, converting, ads, adwords, affiliates, email traffic, mediums, search terms, hostnames, subdomains, split by, grouped by, distribution, keywords, search keywords, visitors from, traffic from, people from, revenue from, least visited pages, worst pages, which ads work, video traffic, brought, bring people',
  },
  tasks,
})
