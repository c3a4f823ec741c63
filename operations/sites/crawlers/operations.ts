import { Type } from '@sinclair/typebox'
import { addressIn } from '../../../runtime/outbound/network.ts'
import { failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { fromFile, OneOf, optional, record, shownWith } from '../../../runtime/table/schema.ts'
import { site } from '../sites/records.ts'
import { countSeen, type Seen } from './count.ts'
import { instant, lineFormats, type LineFormat } from './formats/line-formats.ts'
import { count, type LoggedRequest } from './formats/request.ts'
import { MAX_LINE_LENGTH } from './log-limits.ts'
import { pathOf } from './path.ts'
import { verification } from './verification.ts'
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const formats = ['json', 'combined', 'caddy', 'cloudflare', 'cloudfront'] as const
const MAX_LINES = 1_000
/** Accepted age and lead of a request, ms. Others come from a wrong clock or a wrong file. */
const OLDEST = 400 * DAY_MS
const AHEAD = 300_000

const Request = Type.Object(
  {
    at: Type.Union([Type.String({ maxLength: 40 }), Type.Number()], {
      description: 'Time of the request: ISO 8601, or seconds or milliseconds since 1970.',
    }),
    ip: Type.String({ maxLength: 64, description: 'IP address of the crawler. Not stored.' }),
    method: optional(Type.String({ maxLength: 20, description: 'GET, HEAD …' })),
    url: Type.String({ maxLength: 8_000, description: 'Path, or whole URL.' }),
    status: Type.Integer({ minimum: 0, maximum: 999, description: 'Status of the response.' }),
    bytes: optional(Type.Integer({ unit: 'bytes', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the response.' })),
    user_agent: Type.String({ maxLength: 8_000, description: 'User agent.' }),
  },
  { additionalProperties: false },
)

const Taken = record(
  'CrawlerRequestsTaken',
  {
    accepted: Type.Integer({ unit: 'count', description: 'Number of counted crawler requests.' }),
    human: Type.Integer({ unit: 'count', description: 'Number of requests from browsers, which are not counted.' }),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: '0-based index of the line in the request.' }),
        code: OneOf(['invalid_format', 'invalid_address', 'invalid_time', 'invalid_path'], { description: 'Kind of fault.' }),
      }),
      { description: 'Lines that could not be read, without comments.' },
    ),
  },
  'The outcome of sent log lines.',
)
type Fault = 'invalid_format' | 'invalid_address' | 'invalid_time' | 'invalid_path'

const read = {
  all: m.log_lines_read,
  some: m.some_lines_unreadable,
  none: m.no_crawler_requests,
  nothing: m.all_lines_unreadable,
}

export const crawler_requests_create = operation({
  route: 'POST /sites/{site_id}/crawlers/requests',
  summary: 'Send lines of a server’s log, to count crawlers',
  label: 'Send log lines',
  description:
    'Takes up to 1,000 lines at a time: `requests` for the format json, `lines` for the others. Counts them by day, crawler and path; addresses are not stored. Repeated lines count again, unless the call is repeated with the same Idempotency-Key.',
  access: 'sites.manage',
  surfaces: ['http'],
  unaudited: true,
  on: site,
  effect: 'update',
  input: {
    format: OneOf(formats, { default: 'json', description: 'Format of the lines.' }),
    lines: optional(
      Type.Array(Type.String({ maxLength: MAX_LINE_LENGTH }), {
        maxItems: MAX_LINES,
        description: 'Unchanged lines of the log.',
        [fromFile]: '.log,.txt,.csv,.json,.ndjson',
        [shownWith]: { field: 'format', values: formats.filter(format => format !== 'json') },
      }),
    ),
    requests: optional(
      Type.Array(Request, {
        maxItems: MAX_LINES,
        description: 'Parsed requests, for the format json.',
        [shownWith]: { field: 'format', values: ['json'] },
      }),
    ),
  },
  output: Taken,
  outcome({ accepted, human, rejected }) {
    if (rejected.length > 0) return accepted + human === 0 ? { is: 'failure', says: read.nothing } : { is: 'neutral', says: read.some }
    return accepted > 0 ? { is: 'success', says: read.all } : { is: 'neutral', says: read.none }
  },
  examples: [
    {
      input: {
        site_id: '{{site}}',
        requests: [
          {
            at: '2026-03-10T11:59:00Z',
            ip: '66.249.66.1',
            method: 'GET',
            url: '/pricing',
            status: 200,
            bytes: 5120,
            user_agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)',
          },
        ],
      },
    },
    {
      summary: 'Lines of nginx or Apache',
      input: {
        site_id: '{{site}}',
        format: 'combined',
        lines: ['203.0.113.9 - - [10/Mar/2026:11:59:00 +0000] "GET /blog HTTP/1.1" 200 5120 "-" "GPTBot/1.2 (+https://openai.com/gptbot)"'],
      },
    },
  ],
  async run({ db, site, input, use, now }) {
    const { format, lines, requests } = input
    const [wanted, other] = format === 'json' ? (['requests', 'lines'] as const) : (['lines', 'requests'] as const)
    failWith([
      ...(input[wanted] === undefined
        ? [{ pointer: `/${wanted}`, code: 'required' as const, message: m.required_with_format({ field: fieldTerm(wanted), format }) }]
        : []),
      ...(input[other] === undefined
        ? []
        : [{ pointer: `/${other}`, code: 'mismatch' as const, message: m.not_with_format({ field: fieldTerm(other), format }) }]),
    ])
    const read = format === 'json' ? (requests ?? []).map(fromJson) : (lines ?? []).map(line => fromLine(format, line))
    const verify = use(verification)
    const { crawlerOf } = await import('./identify.ts')
    const rejected: { index: number; code: Fault }[] = []
    const seen: Seen[] = []
    let human = 0
    for (const [index, logged] of read.entries()) {
      if (logged === null) continue
      const fault = logged === undefined ? 'invalid_format' : faultOf(logged, now)
      if (fault !== undefined || logged === undefined) {
        rejected.push({ index, code: fault ?? 'invalid_format' })
        continue
      }
      const crawler = crawlerOf(logged.userAgent)
      if (!crawler) {
        human++
        continue
      }
      const { at, ip, url, status, bytes } = logged
      const verdict = verify(crawler.list, addressIn(ip) ?? '')
      seen.push({ siteId: site.id, zone: site.timezone, at, crawler, verdict, path: pathOf(url), answer: { status, bytes } })
    }
    await countSeen(db, seen)
    return { accepted: seen.length, human, rejected }
  },
})

const fromLine = (format: LineFormat, line: string): LoggedRequest | null | undefined => {
  const text = line.trim()
  return text === '' ? null : lineFormats[format](text)
}

function fromJson({ at, ip, method = 'GET', url, status, bytes, user_agent }: SentRequest): LoggedRequest | undefined {
  const instantOf = instant(at)
  return instantOf === undefined ? undefined : { at: instantOf, ip, method, url, status, bytes: count(bytes) ?? 0, userAgent: user_agent }
}
interface SentRequest {
  readonly at: string | number
  readonly ip: string
  readonly method?: string
  readonly url: string
  readonly status: number
  readonly bytes?: number
  readonly user_agent: string
}

function faultOf({ at, ip, url }: LoggedRequest, now: number): Fault | undefined {
  if (addressIn(ip) === undefined) return 'invalid_address'
  if (at < now - OLDEST || at > now + AHEAD) return 'invalid_time'
  return pathOf(url) === '' ? 'invalid_path' : undefined
}
