import { Type } from '@sinclair/typebox'
import { list } from '../../../runtime/table/operation.ts'
import { CalendarDay, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { dateOf, dayOf } from '../../../storage/calendar/zones.ts'
import { site } from '../sites/records.ts'
import { dropReasons } from './messages.ts'

const reason = OneOf(Object.keys(dropReasons), {
  description: `Reason for dropping hits: ${Object.entries(dropReasons)
    .map(([name, meaning]) => `\`${name}\` ${meaning.english}`)
    .join('; ')}.`,
})

const Drop = record(
  'Drop',
  {
    date: CalendarDay({ description: 'Day in the site’s time zone.' }),
    reason,
    count: Type.Integer({ description: 'Number of hits.' }),
  },
  'Dropped hits of a day and reason.',
)

export const collection_drops = list({
  route: 'GET /sites/{site_id}/collection/drops',
  summary: 'List why hits are missing: dropped hits by reason',
  empty: {
    says: 'Hits that were not counted appear here with the reason: bots, spam, other domains, limits.',
    like: [
      ['GPTBot', '1,204'],
      ['localhost', '17'],
    ],
  },
  title: 'Refused hits',
  place: 'tracking',
  description:
    'Counts bots, unknown domains, other currencies and further reasons by day, newest first. The sender also receives the reason, in ' +
    'the header `X-Footfall-Dropped`.',
  help: 'Bots, unknown domains, other currencies and further reasons, counted by day.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    from: optional(CalendarDay({ description: 'First day.' })),
    to: optional(CalendarDay({ description: 'Last day.' })),
    reason: optional(reason),
  },
  of: Drop,
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', reason: 'bot', from: '2026-03-01' } }],
  async run({ db, site, input, page }) {
    let query = db.selectFrom('drops').select(['day', 'reason', 'count']).where('site_id', '=', site.number)
    if (input.from !== undefined) query = query.where('day', '>=', dayOf(input.from) ?? 0)
    if (input.to !== undefined) query = query.where('day', '<=', dayOf(input.to) ?? 0)
    if (input.reason !== undefined) query = query.where('reason', '=', input.reason)
    const { rows, total } = await pageOf(query.orderBy('day', 'desc').orderBy('reason'), page)
    return { rows: rows.map(({ day, reason, count }) => ({ date: dateOf(day), reason, count })), total }
  },
})
