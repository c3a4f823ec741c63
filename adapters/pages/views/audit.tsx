/** The audit log: who did what, when and how, with what was given. */
import { say } from '../languages/index.ts'
import { isObject } from '../../../runtime/json.ts'
import { instant } from '../format.ts'
import { words } from '../words.ts'
import { list, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const audit: View = {
  async show(seen) {
    const { viewer } = seen
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <section class="card scroll" tabindex={0} aria-label={say(viewer, 'audit_says')}>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">{say(viewer, 'what')}</th>
                <th scope="col">{say(viewer, 'who')}</th>
                <th scope="col">{say(viewer, 'when')}</th>
                <th scope="col">{say(viewer, 'how')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr>
                  <th scope="row">
                    <What row={row} seen={seen} />
                  </th>
                  <td>{text(row.actor)}</td>
                  <td>
                    <time datetime={text(row.at)}>{instant(text(row.at), seen.viewer)}</time>
                  </td>
                  <td>
                    {words(text(row.surface))} <span class="help">{text(row.door).replaceAll('_', ' ')}</span>
                    {typeof row.ip === 'string' && <span class="help"> {say(viewer, 'from_address', { address: row.ip })}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ),
    }
  },
}

function What({ row, seen: { summaryOf, viewer } }: { row: Row; seen: Seen }) {
  const given = isObject(row.input) ? Object.entries(row.input) : []
  const [short] = (summaryOf(text(row.operation)) ?? words(text(row.operation))).split(':')
  return (
    <>
      {short} {row.outcome === 'refused' && <span class="tag bad">{say(viewer, 'refused')}</span>}
      <details>
        <summary class="help">{say(viewer, 'details')}</summary>
        <dl>
          {typeof row.subject_id === 'string' && (
            <>
              <dt>ID</dt>
              <dd>
                <code>{row.subject_id}</code>
              </dd>
            </>
          )}
          <dt>{say(viewer, 'operation')}</dt>
          <dd>
            <code>{text(row.operation)}</code>
          </dd>
          <dt>{say(viewer, 'request')}</dt>
          <dd>
            <code>{text(row.request_id)}</code>
          </dd>
          {given.map(([name, value]) => (
            <>
              <dt>{words(name)}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  )
}
