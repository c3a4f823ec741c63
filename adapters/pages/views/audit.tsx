/** The audit log: who did what, when and how, with what was given. */
import { isObject } from '../../../runtime/json.ts'
import { instant } from '../format.ts'
import { words } from '../words.ts'
import { list, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const audit: View = {
  async show(seen) {
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <section class="card scroll" tabindex={0} aria-label="What was done, the latest first">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Who</th>
                <th scope="col">When</th>
                <th scope="col">How</th>
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
                    {typeof row.ip === 'string' && <span class="help"> from {row.ip}</span>}
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

function What({ row, seen: { summaryOf } }: { row: Row; seen: Seen }) {
  const given = isObject(row.input) ? Object.entries(row.input) : []
  const [short] = (summaryOf(text(row.operation)) ?? words(text(row.operation))).split(':')
  return (
    <>
      {short} {row.outcome === 'refused' && <span class="tag bad">refused</span>}
      <details>
        <summary class="help">Details</summary>
        <dl>
          {typeof row.subject_id === 'string' && (
            <>
              <dt>ID</dt>
              <dd>
                <code>{row.subject_id}</code>
              </dd>
            </>
          )}
          <dt>Operation</dt>
          <dd>
            <code>{text(row.operation)}</code>
          </dd>
          <dt>Request</dt>
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
