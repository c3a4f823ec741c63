/** The audit log: who did what, when and how, with what was given. */
import type { TSchema } from '@sinclair/typebox'
import { say } from '../../../runtime/ui/languages/index.ts'
import { instant } from '../../../runtime/ui/format.ts'
import { nameOf } from '../../../runtime/ui/list.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { valueWords, withQuery, words } from '../../../runtime/ui/words.ts'
import { list, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const audit: View = {
  async show(seen) {
    const { viewer } = seen
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    const named = await namesFor(seen)
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
                    <What row={row} seen={seen} named={named} />
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

/** Sites and members, which most entries name by their ids. */
async function namesFor({ ask }: Seen): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(['[Site]', '[Member]'].map(each => ask(each, { per_page: 100 })))
  return new Map(lists.flatMap(each => list(each?.rows)).map(row => [text(row.id), nameOf(row) ?? text(row.email)]))
}

function What({ row, seen: { summaryOf, inputOf, viewer, url }, named }: { row: Row; seen: Seen; named: ReadonlyMap<string, string> }) {
  const input = record(row.input)
  const id = text(row.subject_id)
  // By what it was called then: it may be gone.
  const name = nameOf(input) ?? named.get(id)
  const operation = text(row.operation)
  const [short] = (summaryOf(operation) ?? words(operation)).split(':')
  return (
    <>
      {short}
      {name !== undefined && <b class="subject"> {name}</b>}{' '}
      {row.outcome === 'refused' && <span class="tag bad">{say(viewer, 'refused')}</span>}
      <details>
        <summary class="help">{say(viewer, 'details')}</summary>
        <dl>
          {id !== '' && (
            <>
              <dt>ID</dt>
              <dd>
                <a href={withQuery(url, { subject_id: id, page: undefined })}>
                  <code>{id}</code>
                </a>
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
        <RecordView schema={inputOf(operation) ?? ({} as TSchema)} data={input} viewer={viewer} named={named} />
      </details>
    </>
  )
}
