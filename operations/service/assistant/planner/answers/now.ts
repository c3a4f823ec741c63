/** Answers about live visitors, and about whether the site is up. */
import { figure, percent, plain } from '../../figures.ts'
import { lineOf } from '../charts.ts'
import { Unclear } from '../extract.ts'
import { fieldsOf, numberOf, rowsOf, textOf } from '../reads.ts'
import { capital, labelWords, manyOf } from '../wording.ts'
import type { Answering, PartAnswer } from './answering.ts'
import { m } from '../../messages.ts'
import type { Message } from '../../../../../runtime/texts/message.ts'

const listed: Readonly<Record<string, string>> = { page: 'pages', source: 'sources', country: 'countries' }

export async function live({ part, reads, asking }: Answering): Promise<PartAnswer> {
  const { say } = asking
  const { currency } = asking.site
  const [other] = part.dimensions.filter(dimension => !Object.hasOwn(listed, dimension))
  if (part.filters.length > 0 || part.done || other !== undefined) throw new Unclear(m.now_without_parts())
  if (part.dates.length > 0) throw new Unclear(m.now_and_another_time())
  if (part.metrics.some(metric => metric !== 'visitors')) throw new Unclear(m.now_only_visitors())
  const { data } = await reads.ask('live_get', {})
  const visitors = numberOf(fieldsOf(fieldsOf(data).metrics), 'visitors')
  const lines = Object.entries(listed).flatMap(([dimension, name]) => {
    const rows = rowsOf(fieldsOf(data)[name]).slice(0, 3)
    if (rows.length === 0) return []
    return [
      `- ${capital(manyOf(say, dimension))}: ${rows.map(row => `${labelWords(say, dimension, row)} (${numberOf(row, 'visitors')})`).join(', ')}`,
    ]
  })
  const text = [say(m.on_the_site_now, { figure: figure(say, { metric: 'visitors', value: visitors, currency }) }), ...lines].join('\n')
  return { text, chart: lineOf(data, 'visitors') }
}

const spans = { '24h': m.share_of_24_hours, '7d': m.share_of_7_days, '30d': m.share_of_30_days } as const
const states: Readonly<Record<string, (named: { readonly check: string }) => Message>> = {
  up: m.check_up,
  down: m.check_down,
  paused: m.check_paused,
  pending: m.check_pending,
}

export async function uptime({ part, reads, asking: { say } }: Answering): Promise<PartAnswer> {
  if (part.filters.length > 0 || part.dimensions.length > 0) throw new Unclear(m.checks_know_no_visitors())
  const { data } = await reads.ask('uptime_checks_list', { per_page: 20 })
  const checks = rowsOf(data)
  if (checks.length === 0) return { text: say(m.no_uptime_check) }
  const lines = checks.map(check => {
    const shares = Object.entries(spans).flatMap(([key, words]) => {
      const share = fieldsOf(check.uptime)[key]
      return typeof share === 'number' ? [say(words, { share: percent(share, say.locale, 3) })] : []
    })
    const known = shares.length > 0 ? say(m.up_shares, { shares: shares.join(', ') }) : ''
    const named = { check: plain(textOf(check, 'name')) }
    return `- ${say(states[textOf(check, 'status')]?.(named) ?? `**${named.check}**`)}${known}`
  })
  const note = part.dates.length > 0 ? ['', say(m.availability_of_last_days)] : []
  return { text: [...lines, ...note].join('\n') }
}
