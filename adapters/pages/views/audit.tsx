/** The audit log: who did what, when and how, with what was given. */
import type { TSchema } from '@sinclair/typebox'
import { say } from '../languages/index.ts'
import { isObject } from '../../../runtime/json.ts'
import { instant } from '../format.ts'
import { RecordView } from '../record.tsx'
import { valueWords, words } from '../words.ts'
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
          <table class="list stacks">
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
                  <td data-label={say(viewer, 'who')}>{text(row.actor)}</td>
                  <td data-label={say(viewer, 'when')}>
                    <time datetime={text(row.at)}>{instant(text(row.at), seen.viewer)}</time>
                  </td>
                  <td data-label={say(viewer, 'how')}>
                    {valueWords(text(row.surface), seen.viewer)} <span class="help">{valueWords(text(row.door), seen.viewer)}</span>
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

function What({ row, seen: { summaryOf, inputOf, viewer } }: { row: Row; seen: Seen }) {
  const operation = text(row.operation)
  const [short] = (summaryOf(operation) ?? words(operation)).split(':')
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
            <code>{operation}</code>
          </dd>
          <dt>{say(viewer, 'request')}</dt>
          <dd>
            <code>{text(row.request_id)}</code>
          </dd>
        </dl>
        {isObject(row.input) && <RecordView schema={inputOf(operation) ?? ({} as TSchema)} data={row.input} viewer={viewer} />}
      </details>
    </>
  )
}
