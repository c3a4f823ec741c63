/** Lines of a server's log become hits, as if a script had sent them with the address and the time of the visitor. */
import { Type } from '@sinclair/typebox'
import { operation } from '../../../runtime/table/operation.ts'
import { OneOf, record } from '../../../runtime/table/schema.ts'
import { logReader, MAX_BATCH_LINES, MAX_LINE_LENGTH } from '../crawlers/index.ts'
import { site } from '../sites/records.ts'
import { collector } from './collector.ts'
import type { SentHit } from './hit.ts'
import { loggedPage, noPage } from './logged-pages.ts'
import { dropReasons, m } from './messages.ts'
import { serverHits } from './server-hits.ts'

const reasons = [...noPage, 'unreadable', ...Object.keys(dropReasons).filter(reason => reason !== 'bot')] as const

const LinesTaken = record(
  'LogLinesTaken',
  {
    pages: Type.Integer({ unit: 'count', description: 'Pageviews that count.' }),
    left_out: Type.Array(
      Type.Object({
        reason: OneOf(reasons, {
          description:
            '`file`, `method`, `status`, `background`: no view of a page; `bot`; `no_user_agent`; `unreadable`: not a line of a log; otherwise as in `collection_drops`.',
        }),
        lines: Type.Integer({ unit: 'count', description: 'Number of lines.' }),
      }),
      { description: 'Lines that do not count, by reason.' },
    ),
  },
  'The outcome of lines that were sent to count visits.',
)

export const log_lines_create = operation({
  route: 'POST /sites/{site_id}/log/lines',
  summary: 'Send lines of a server’s log, to count visits',
  label: 'Count log lines',
  description:
    'For sites without a script. Takes up to 200 lines of nginx, Apache, Caddy, Cloudflare or CloudFront at a time, in the order of the log. Requests of pages count like hits of a script. Repeated lines count again, unless the call is repeated with the same Idempotency-Key.',
  access: 'sites.manage',
  surfaces: ['http'],
  forPrograms: true,
  unaudited: true,
  on: site,
  effect: 'update',
  input: {
    lines: Type.Array(Type.String({ maxLength: MAX_LINE_LENGTH }), {
      maxItems: MAX_BATCH_LINES,
      description: 'Unchanged lines of the log.',
    }),
  },
  output: LinesTaken,
  outcome: ({ pages }) => (pages > 0 ? { is: 'success', says: m.pages_counted } : { is: 'neutral', says: m.no_pages_counted }),
  examples: [
    {
      input: {
        site_id: '{{site}}',
        lines: [
          '203.0.113.9 - - [10/Mar/2026:11:59:00 +0000] "GET /blog HTTP/1.1" 200 5120 "https://www.google.com/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"',
        ],
      },
    },
  ],
  async prepare({ site, input, caller, use }) {
    const taken = serverHits({ site, caller, collector: use(collector) })
    const read = logReader()
    const hits = input.lines.flatMap((line): SentHit[] => {
      const text = line.trim()
      const request = text === '' ? null : read(text)
      if (request === null) return []
      const page = request && loggedPage(request)
      if (typeof page === 'string') {
        taken.leave(page)
        return []
      }
      const hit = page && taken.read({ ...page, name: 'pageview' })
      if (!hit) taken.leave('unreadable')
      return hit ? [hit] : []
    })
    const pages = await taken.store(hits)
    return { counted: { pages, left_out: taken.leftOut(reasons).map(({ reason, count }) => ({ reason, lines: count })) } }
  },
  run: async ({ counted }) => counted,
})
