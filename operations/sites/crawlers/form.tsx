/** The form of log lines: the server whose log it is, and its lines. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts, KindCard } from '../../../runtime/ui/form-layout.ts'
import type { LineFormat } from './formats/line-formats.ts'
import { m } from './messages.ts'

const cards: Readonly<Record<LineFormat, readonly [KindCard['icon'], name: string, help: PlainMessage]>> = {
  combined: ['server', 'nginx · Apache', m.format_combined],
  caddy: ['lock', 'Caddy', m.format_caddy],
  cloudflare: ['globe', 'Cloudflare', m.format_cloudflare],
  cloudfront: ['globe', 'CloudFront', m.format_cloudfront],
}
const order = Object.keys(cards) as LineFormat[] // a literal's own keys

/** Parsed requests are for programs. */
export function lineFields(parts: FormParts<'format' | 'lines' | 'requests'>): Content {
  const { reader } = parts
  parts.begin({ format: 'combined' })
  parts.without('requests')
  return (
    <>
      {parts.kinds(
        'format',
        order.map(value => {
          const [icon, label, help] = cards[value]
          return { value, icon, label, help: say(reader, help) }
        }),
        { label: say(reader, m.whose_log) },
      )}
      {parts.field('lines', { label: say(reader, m.lines_label), help: say(reader, m.lines_help), isWanted: true })}
    </>
  ) as Content
}
