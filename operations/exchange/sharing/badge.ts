import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { aggregate, apply, engine } from '../../reports/stats/index.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { site } from '../../sites/sites/records.ts'

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const badges_get = operation({
  route: 'GET /badge/{site_id}',
  summary: 'Badge with the visitors of a public site',
  description:
    'The daily visitors of the last 30 days, added up, as an image, for a page or a README; at most 5 minutes old. ' +
    'For a site that is not public, the response is the same as for a missing site.',
  access: 'public',
  on: site,
  effect: 'read',
  input: {
    page: optional(
      Type.String({ minLength: 1, maxLength: 1_024, description: 'Path of a page whose visitors are counted, for example `/pricing`.' }),
    ),
  },
  output: Type.String({ description: 'The badge, SVG.' }),
  answers: text('image/svg+xml', { shared: 300 }),
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', page: '/pricing' } }],
  async run({ site, db, now, use, input }) {
    if (site.public !== 1) fail('not_found')
    const { data } = await aggregate(
      await apply(db, site, now, {
        period: '30d',
        include_imported: true,
        ...(input.page !== undefined && { filters: [['page', 'is', input.page]] }),
      }),
      use(engine),
    )
    const { visitors } = data.metrics
    const message = visitors === null ? 'not known' : `${compact.format(visitors)} in 30 days, added up`
    const { makeBadge } = await import('badge-maker')
    return makeBadge({ label: 'daily visitors', message, color: 'blue' })
  },
})
