import { fill } from '../../../runtime/ui/slot.ts'
import { listOf, listView } from '../../../runtime/ui/view.ts'
import { ButtonForm } from '../../../runtime/ui/form.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { say } from '../../../runtime/texts/say.ts'
import { restorableRecords } from '../../people/audit/records.ts'
import { m } from './messages.ts'
import { DeletedRecord } from './records.ts'

/** Deleted records, each with a button that restores it. */
export const deleted = listView(DeletedRecord, ({ rows, page: { viewer } }) => {
  if (rows.length === 0) return undefined
  return (
    <section class="card scroll" tabindex={0} aria-label={say(viewer, m.deleted_says)}>
      <table class="list stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, m.what)}</th>
            <th scope="col">{say(viewer, m.deleted)}</th>
            <th scope="col">{say(viewer, m.until)}</th>
            <th scope="col" aria-label={say(viewer, m.restore)} />
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              <th scope="row">
                {row.name} <span class="help">{valueWords(row.kind, viewer)}</span>
              </th>
              <td data-label={say(viewer, m.deleted)}>
                <time datetime={row.deleted_at}>{instant(row.deleted_at, viewer)}</time> <span class="help">{row.deleted_by}</span>
              </td>
              <td data-label={say(viewer, m.until)}>
                <time datetime={row.restorable_until}>{instant(row.restorable_until, viewer)}</time>
              </td>
              <td>
                <ButtonForm action={row.restore_path} label={say(viewer, m.restore)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
})

/** For the audit log, whose entries of deletions offer to restore the record. */
export const restorable = fill(restorableRecords, async ({ page }) => {
  const rows = (await page.ask(listOf(DeletedRecord), { per_page: 100 })) ?? []
  return new Map(rows.map(row => [row.id, { path: row.restore_path, deletedAt: row.deleted_at }]))
})
