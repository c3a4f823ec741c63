/** Logs of web servers and CDNs: requests of pages become hits. */
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { type JsonObject, loggedPage, type NoPage } from '../../../sites/collection/index.ts'
import type { LoggedRequest } from '../../../sites/crawlers/index.ts'
import { m } from '../messages.ts'
import type { HitSource } from './source.ts'
import { textIn } from './values.ts'

const why = {
  bot: m.log_bots(),
  no_user_agent: m.log_without_agent(),
  file: m.log_files(),
  method: m.log_methods(),
  status: m.log_statuses(),
  background: m.log_background(),
} as const satisfies Readonly<Record<NoPage, unknown>>

/** Names of the requests that are left out. */
const kinds: Readonly<Record<NoPage, string>> = {
  bot: 'bots',
  no_user_agent: 'user agent',
  file: 'files',
  method: 'method',
  status: 'status',
  background: 'background',
}

export const accessLog: HitSource = {
  kind: 'hits',
  title: 'The log of nginx, Apache, Caddy, Cloudflare or CloudFront',
  format: 'log',
  part({ parts, form }) {
    const [part, more] = parts
    if (!part || more || form === 'parquet') throw new JobFailure('wrong_file', m.one_log())
    return part
  },
  header: () => [],
  convert(record, leaveOut) {
    const page = loggedPage(requestIn(record))
    if (page === undefined) return 'the line has no valid visitor address or no path'
    if (typeof page !== 'string') return [page]
    leaveOut(kinds[page], why[page])
    return []
  },
}

const requestIn = (record: JsonObject): LoggedRequest => ({
  at: Number(record.at),
  ip: textIn(record, 'ip'),
  method: textIn(record, 'method'),
  url: textIn(record, 'url'),
  status: Number(record.status),
  bytes: 0,
  userAgent: textIn(record, 'userAgent'),
  referrer: textIn(record, 'referrer'),
  host: textIn(record, 'host'),
  type: textIn(record, 'type'),
})
