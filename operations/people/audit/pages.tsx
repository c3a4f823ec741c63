import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { DateTime } from '../../../runtime/table/schema.ts'
import { Cell } from '../../../runtime/ui/cell.tsx'
import { conditionWords } from '../../../runtime/ui/conditions.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { clipped } from '../../../runtime/values/clip.ts'
import { nameOf } from '../../../runtime/ui/list.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { listOf, listView } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords, valueWords, withQuery, words } from '../../../runtime/ui/words.ts'
import { Member } from '../members/records.ts'
import { AuditEntry, restorableRecords, siteNames } from './records.ts'
import { ButtonForm } from '../../../runtime/ui/form.tsx'
import { elsewhere, m } from './messages.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** Entries of the audit log: the change, the member, the time and the surface, with the input as details. */
export const audit = listView(AuditEntry, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const [named, restorable] = await Promise.all([namesFor(page), page.fill(restorableRecords, {})])
  return (
    <section class="card scroll" tabindex={0} aria-label={say(viewer, m.audit_says)}>
      <table class="list stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, m.what)}</th>
            <th scope="col">{say(viewer, m.who)}</th>
            <th scope="col">{say(viewer, ui.when)}</th>
            <th scope="col">{say(viewer, m.how)}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              <th scope="row">
                <Change entry={row} page={page} named={named} />
                {restorable?.get(row.subject_id ?? '')?.deletedAt === row.at && (
                  <ButtonForm action={restorable?.get(row.subject_id ?? '')?.path} label={say(viewer, m.restore)} />
                )}
              </th>
              <td data-label={say(viewer, m.who)}>{row.door === 'command' ? say(viewer, m.operator) : row.actor}</td>
              <td data-label={say(viewer, ui.when)}>
                <time datetime={row.at}>{instant(row.at, viewer)}</time>
              </td>
              <td data-label={say(viewer, m.how)}>
                {capital(valueWords(row.surface, viewer))}{' '}
                <span class="help">{row.door === 'command' ? <code>{row.actor}</code> : valueWords(row.door, viewer)}</span>
                {row.ip !== null && <span class="help"> {say(viewer, ui.from_address, { address: row.ip })}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
})

type Names = ReadonlyMap<string, string>

/** Names of sites and members, the subjects of most entries, by their ids. */
async function namesFor(page: ViewedPage): Promise<Names> {
  const [sites, members = []] = await Promise.all([page.fill(siteNames, {}), page.ask(listOf(Member), { per_page: 100 })])
  return new Map([...(sites ?? []), ...members.map((row): [string, string] => [row.id, nameOf(row) ?? row.email])])
}

interface ChangesProps {
  readonly changes: NonNullable<Static<typeof AuditEntry>['changes']>
  /** Schema of the input of the operation. */
  readonly input: TSchema | undefined
  readonly viewer: Viewer
}

function Changes({ changes, input, viewer }: ChangesProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">{say(viewer, m.changed_field)}</th>
          <th scope="col">{say(viewer, m.before)}</th>
          <th scope="col">{say(viewer, m.after)}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr>
            <th scope="row">{fieldWords(field, viewer)}</th>
            {[before, after].map(value => (
              <td>
                <Value field={field} value={value} schema={input?.properties?.[field]} viewer={viewer} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A value as people read it; records of records, which have no words, as JSON. @param schema undefined if the operation does not take the field */
function Value({
  field,
  value,
  schema = Type.Unknown(),
  viewer,
}: {
  field: string
  value: unknown
  schema?: TSchema | undefined
  viewer: Viewer
}) {
  if (field === 'filters' && Array.isArray(value) && value.length > 0)
    return <>{clipped(value.map(each => conditionWords(each, viewer)).join(', '), MAX_LENGTH)}</>
  if (typeof value === 'object' && value !== null) return <>{clipped(JSON.stringify(value), MAX_LENGTH)}</>
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
  return (
    <Cell schema={isTime ? DateTime() : schema} value={typeof value === 'string' ? clipped(value, MAX_LENGTH) : value} viewer={viewer} />
  )
}
const MAX_LENGTH = 300

const isElsewhere = (key: string): key is keyof typeof elsewhere => Object.hasOwn(elsewhere, key)

interface ChangeProps {
  readonly entry: Static<typeof AuditEntry>
  readonly page: ViewedPage
  readonly named: Names
}

function Change({ entry, page: { doneOf, inputOf, viewer, url }, named }: ChangeProps) {
  const { input, operation, subject_id: id } = entry
  // A deleted record is called by the name in the input.
  const name = nameOf(input) ?? (id === null ? undefined : named.get(id))
  const own = [`${entry.outcome} ${operation}`, `${entry.door} ${operation}`, operation].find(isElsewhere)
  const what = own ? say(viewer, elsewhere[own]) : (doneOf(operation, entry.outcome === 'refused') ?? capital(words(operation)))
  return (
    <>
      {what}
      {name !== undefined && (
        <>
          {' · '}
          <b class="subject">{name}</b>
        </>
      )}{' '}
      {entry.outcome === 'refused' && <span class="tag bad">{say(viewer, m.refused)}</span>}
      <details>
        <summary class="help">{say(viewer, m.details)}</summary>
        <dl>
          {id !== null && (
            <>
              <dt>ID</dt>
              <dd>
                <a href={withQuery(url, { subject_id: id, page: undefined })}>
                  <code>{id}</code>
                </a>
              </dd>
            </>
          )}
          <dt>{say(viewer, m.operation)}</dt>
          <dd>
            <code>{operation}</code>
          </dd>
          <dt>{say(viewer, m.request)}</dt>
          <dd>
            <code>{entry.request_id}</code>
          </dd>
        </dl>
        {entry.changes !== null && entry.changes.length > 0 && (
          <Changes changes={entry.changes} input={inputOf(operation)} viewer={viewer} />
        )}
        <RecordView schema={inputOf(operation) ?? Type.Object({})} data={input} viewer={viewer} named={named} />
      </details>
    </>
  )
}
