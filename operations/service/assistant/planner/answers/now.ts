/** Who is there now, and whether the site is up. */
import { phrases } from '../../../../../runtime/texts/index.ts'
import { figure, percent, plain } from '../../figures.ts'
import { lineOf } from '../charts.ts'
import { Unclear } from '../extract.ts'
import { fieldsOf, numberOf, rowsOf, textOf } from '../reads.ts'
import { capital, labelWords, manyOf } from '../wording.ts'
import type { Answering, PartAnswer } from './answering.ts'

const listed: Readonly<Record<string, string>> = { page: 'pages', source: 'sources', country: 'countries' }

export async function live({ part, reads, asking }: Answering): Promise<PartAnswer> {
  const { say } = asking
  const { currency } = asking.site
  const [other] = part.dimensions.filter(dimension => !Object.hasOwn(listed, dimension))
  if (part.filters.length > 0 || part.done || other !== undefined)
    throw new Unclear('Of who is there now I know pages, sources and countries, and nothing of a part of them.')
  if (part.dates.length > 0) throw new Unclear('I understood “now” and another time; ask for one of them.')
  if (part.metrics.some(metric => metric !== 'visitors'))
    throw new Unclear('Of now I know how many visitors there are, and no other figure.')
  const { data } = await reads.ask('live_get', {})
  const visitors = numberOf(fieldsOf(fieldsOf(data).metrics), 'visitors')
  const told = Object.entries(listed).flatMap(([dimension, name]) => {
    const rows = rowsOf(fieldsOf(data)[name]).slice(0, 3)
    if (rows.length === 0) return []
    return [
      `- ${capital(manyOf(say, dimension))}: ${rows.map(row => `${labelWords(say, dimension, row)} (${numberOf(row, 'visitors')})`).join(', ')}`,
    ]
  })
  const text = [
    say('**{figure}** on the site now: active within the last 5 minutes.', { figure: figure(say, 'visitors', visitors, currency) }),
    ...told,
  ].join('\n')
  return { text, chart: lineOf(data, 'visitors') }
}

const spans = phrases({ '24h': '{share} in 24 hours', '7d': '{share} in 7 days', '30d': '{share} in 30 days' })
const states: Readonly<Record<string, string>> = phrases({
  up: '**{check}** is up',
  down: '**{check}** is down',
  paused: '**{check}** is paused',
  pending: '**{check}** was not checked yet',
})

export async function uptime({ part, reads, asking: { say } }: Answering): Promise<PartAnswer> {
  if (part.filters.length > 0 || part.dimensions.length > 0)
    throw new Unclear('Checks know nothing of visitors: I can answer whether the site is up, and how much of the time it was.')
  const { data } = await reads.ask('uptime_checks_list', { per_page: 20 })
  const checks = rowsOf(data)
  if (checks.length === 0)
    return { text: say('No uptime check watches this site, so whether it is up is not known. An uptime check can be added under Uptime.') }
  const lines = checks.map(check => {
    const shares = Object.entries(spans).flatMap(([key, words]) => {
      const share = fieldsOf(check.uptime)[key]
      return typeof share === 'number' ? [say(words, { share: percent(share, say.locale, 3) })] : []
    })
    const known = shares.length > 0 ? say('; up {shares}', { shares: shares.join(', ') }) : ''
    return `- ${say(states[textOf(check, 'status')] ?? '**{check}**', { check: plain(textOf(check, 'name')) })}${known}`
  })
  const note =
    part.dates.length > 0
      ? [
          '',
          say(
            'Availability is known for the last 24 hours, 7 days and 30 days, up to now, and not for the days you asked about; outages with their times are on the page of each check.',
          ),
        ]
      : []
  return { text: [...lines, ...note].join('\n') }
}
