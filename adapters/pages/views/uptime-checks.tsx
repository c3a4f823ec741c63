/** Uptime checks as cards: how each is now, how much of the last 30 days it was up, and what ends soon. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { day, duration, type Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { cardList } from './card-list.tsx'
import { record, type Row, text } from './read.ts'
import { precisely } from './uptime-check.tsx'

export const uptimeChecks = cardList((row, { viewer }) => ({
  name: text(row.name),
  beside: <Tag value={row.status} viewer={viewer} />,
  about: told(row, viewer).join(' · '),
}))

/** `https://example.com/ · 99.98% up in 30 days · 120 ms · certificate until Mar 3, 2027`. */
function told(row: Row, viewer: Viewer): string[] {
  const target = text(row.url) || text(row.host)
  const up = record(row.uptime)['30d']
  return [
    target === row.name ? '' : target,
    typeof up === 'number' ? say(viewer, 'up_in_30', { share: precisely(up, viewer) }) : '',
    typeof row.last_response_ms === 'number' ? duration(row.last_response_ms, viewer) : '',
    typeof row.ssl_expires_at === 'string' ? say(viewer, 'certificate_until', { when: day(row.ssl_expires_at, viewer) }) : '',
  ].filter(part => part !== '')
}
