/** The form of an uptime check: what is requested, which begins with the address of the site, and how often. */
import type { Content } from '../../../runtime/table/page.ts'
import type { Reader } from '../../../runtime/texts/reader.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { Site } from '../../sites/sites/records.ts'
import type { createFields } from './fields.ts'
import { m } from './messages.ts'

const intervals = [30, 60, 300, 600, 900, 1_800, 3_600, 21_600, 86_400]
/** `5 minutes` */
const lengthWords = (seconds: number, reader: Reader): string =>
  seconds < 60
    ? say(reader, m.seconds, { count: seconds })
    : seconds < 3_600
      ? say(reader, m.minutes, { count: seconds / 60 })
      : say(reader, m.hours, { count: seconds / 3_600 })

/** Used if a new check names no interval: docs/decisions.md. */
const usualInterval = 300

export function checkFields(parts: FormParts<keyof typeof createFields>): Content {
  const { reader, page } = parts
  const domain = page.within(Site)?.domain
  const { kind } = parts.begin({
    kind: 'http',
    interval_seconds: usualInterval,
    url: domain === undefined ? undefined : `https://${domain}`,
    host: domain,
    port: 443,
  })
  const isPage = kind === 'http' || kind === 'keyword'
  if (!isPage) parts.without('url', 'expected_status', 'accepted_statuses', 'http_method')
  if (isPage) parts.without('host', 'port')
  if (kind !== 'tcp') parts.without('port')
  if (kind !== 'keyword') parts.without('keyword')
  if (kind !== 'http') parts.without('http_method')
  const interval = () =>
    parts.slot('interval_seconds', { options: intervals.map(each => [String(each), lengthWords(each, reader)] as const) })
  return (
    <>
      {parts.kinds('kind', [
        { value: 'http', icon: 'globe', label: say(reader, m.kind_http) },
        { value: 'keyword', icon: 'text', label: say(reader, m.kind_keyword) },
        { value: 'tcp', icon: 'server', label: say(reader, m.kind_tcp) },
        { value: 'dns', icon: 'network', label: say(reader, m.kind_dns) },
      ])}
      {isPage ? parts.field('url', { help: '', isWanted: true }) : parts.field('host', { help: '', isWanted: true })}
      {kind === 'tcp' && parts.field('port', { help: '', isWanted: true })}
      {kind === 'keyword' && parts.field('keyword', { isWanted: true })}
      {parts.sentence(sayParts<Content, typeof m.every.english>(reader, m.every, { interval: interval() }))}
      {parts.field('name')}
      {parts.field('public')}
      {parts.more()}
    </>
  ) as Content
}
