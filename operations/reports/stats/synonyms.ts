/** Other spellings of periods and dimensions. */
import { dimensionOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { CALENDAR_PERIOD, PERIODS } from './time/period.ts'

const periods = new Map(
  Object.entries({
    month_to_date: 'mtd',
    this_quarter: 'qtd',
    quarter_to_date: 'qtd',
    year_to_date: 'ytd',
    '12_months': '12mo',
    '12_month': '12mo',
    '24_hours': '24h',
    all_time: 'all',
  }),
)

/** Accepts, for example, `last 7 days`, `7 days`, `month to date` and `2026-w47`. */
export function periodSynonym(text: string): string | undefined {
  if (CALENDAR_PERIOD.test(text.toUpperCase())) return text.toUpperCase()
  const words = text
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
    .replace(/^(the_)?(last|past)_(?=\d)/, '')
  const days = /^(\d+)_?days?$/.exec(words)?.[1]
  const name = days === undefined ? periods.get(words) : `${days}d`
  return PERIODS.find(period => period === name)
}

const dimensionsElsewhere = new Map(
  Object.entries({
    campaign: 'utm_campaign',
    medium: 'utm_medium',
    term: 'utm_term',
    content: 'utm_content',
    path: 'page',
    isp: 'network',
    provider: 'network',
    host: 'hostname',
    landing_page: 'entry_page',
    operating_system: 'os',
    browser_language: 'language',
    referer: 'referrer',
    conversion: 'goal',
  }),
)

/** Accepts, for example, `Countries`, `campaigns` and `landing page`. */
export function dimensionSynonym(text: string): string | undefined {
  if (dimensionOf(text)) return undefined
  const word = text.toLowerCase().replace(/[\s-]+/g, '_')
  const singular = [word, word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.replace(/s$/, '')]
  return singular.map(each => dimensionsElsewhere.get(each) ?? each).find(each => dimensionOf(each) !== undefined)
}
