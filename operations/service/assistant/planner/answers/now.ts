/** Who is there now, and whether the site is up. */
import { figure, plain } from '../../figures.ts'
import { lineOf } from '../charts.ts'
import { Unclear } from '../parts.ts'
import { fieldsOf, numberOf, rowsOf, textOf } from '../reads.ts'
import type { Answering, PartAnswer } from './answering.ts'

const listed: Readonly<Record<string, string>> = { page: 'pages', source: 'sources', country: 'countries' }

export async function live({ part, reads, asking }: Answering): Promise<PartAnswer> {
  const { currency } = asking.site
  const [other] = part.dimensions.filter(dimension => !Object.hasOwn(listed, dimension))
  if (part.filters.length > 0 || part.done || other !== undefined)
    throw new Unclear('Of who is there now I know pages, sources and countries, and nothing of a part of them.')
  if (part.dates.length > 0) throw new Unclear('I understood “now” and another time; ask for one of them.')
  if (part.metrics.some(metric => metric !== 'visitors'))
    throw new Unclear('Of now I know how many visitors there are, and no other figure.')
  const { data } = await reads.ask('live_get', {})
  const visitors = numberOf(fieldsOf(fieldsOf(data).metrics), 'visitors')
  const told = Object.values(listed).flatMap(name => {
    const rows = rowsOf(fieldsOf(data)[name]).slice(0, 3)
    if (rows.length === 0) return []
    return [
      `- ${name.charAt(0).toUpperCase()}${name.slice(1)}: ${rows.map(row => `${plain(textOf(row, 'label'))} (${numberOf(row, 'visitors')})`).join(', ')}`,
    ]
  })
  const text = [
    `**${figure(visitors === 1 ? 'visitors' : 'visitors', visitors, currency)}** on the site now: active within the last 5 minutes.`,
    ...told,
  ].join('\n')
  return { text, chart: lineOf(data, 'visitors') }
}

const spans: readonly (readonly [key: string, words: string])[] = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
]

export async function uptime({ part, reads }: Answering): Promise<PartAnswer> {
  if (part.filters.length > 0 || part.dimensions.length > 0)
    throw new Unclear('Checks know nothing of visitors: I can tell whether the site is up, and how much of the time it was.')
  const { data } = await reads.ask('uptime_checks_list', { per_page: 20 })
  const checks = rowsOf(data)
  if (checks.length === 0)
    return { text: 'No uptime check watches this site, so whether it is up is not known. An uptime check can be added under Uptime.' }
  const lines = checks.map(check => {
    const shares = spans.flatMap(([key, words]) => {
      const share = fieldsOf(check.uptime)[key]
      return typeof share === 'number' ? [`${share}% in ${words}`] : []
    })
    const known = shares.length > 0 ? `; up ${shares.join(', ')}` : ''
    return `- **${plain(textOf(check, 'name'))}** is ${textOf(check, 'status')}${known}`
  })
  const note =
    part.dates.length > 0
      ? '\n\nAvailability is known for the last 24 hours, 7 days and 30 days, up to now, and not for the days you asked about; outages with their times are on the page of each check.'
      : ''
  return { text: `${lines.join('\n')}${note}` }
}
