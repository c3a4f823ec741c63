/** Deliveries of a webhook: what was sent and what came back, to be read and sent again. */
import { say, told } from '../../../runtime/ui/languages/index.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { duration, instant } from '../../../runtime/ui/format.ts'
import { list, number, type Row, sentence, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const deliveries: View = {
  async show(seen) {
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <ul class="folded">
          {rows.map(row => (
            <li class="card">
              <Delivery row={row} seen={seen} />
            </li>
          ))}
        </ul>
      ),
    }
  },
}

function Delivery({ row, seen: { viewer, actionsOf } }: { row: Row; seen: Seen }) {
  return (
    <>
      <p class="between">
        <b>{text(row.event)}</b>
        <span>
          {typeof row.status_code === 'number' && <code>{row.status_code}</code>} <Tag value={row.status} viewer={viewer} />
        </span>
      </p>
      <p class="help">
        <time datetime={text(row.created_at)}>{instant(text(row.created_at), viewer)}</time>
        {` · ${say(viewer, 'attempt', { number: number(row.attempt) })}`}
        {typeof row.duration_ms === 'number' && ` · ${duration(row.duration_ms, viewer)}`}
        {sentence(row.error) !== '' && ` · ${told(viewer, sentence(row.error))}`}
      </p>
      <details>
        <summary>{say(viewer, text(row.response_body) === '' ? 'sent_only' : 'sent_and_answer')}</summary>
        <pre tabindex={0}>{JSON.stringify(row.payload, undefined, 2)}</pre>
        {text(row.response_body) !== '' && (
          <>
            <p class="help">{say(viewer, 'the_answer')}</p>
            <pre tabindex={0}>{text(row.response_body)}</pre>
          </>
        )}
      </details>
      {actionsOf(row).length > 0 && (
        <p class="ends">
          {actionsOf(row).map(({ href, label }) => (
            <a class="button plain" href={href}>
              {label}
            </a>
          ))}
        </p>
      )}
    </>
  )
}
