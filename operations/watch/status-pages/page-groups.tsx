/** Groups of a status page with the names of their checks. */
import type { Operation } from '../../../runtime/table/operation.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import type { StatusPage } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface PageGroupsProps {
  readonly groups: Static<typeof StatusPage>['groups']
  /** Names of checks by their ids. */
  readonly names: ReadonlyMap<string, string>
  readonly viewer: Viewer
}

export const PageGroups = ({ groups, names, viewer }: PageGroupsProps) => (
  <section class="card" aria-labelledby="groups">
    <h2 id="groups">{say(viewer, m.what_it_shows)}</h2>
    {groups.length === 0 && <p class="none">{say(viewer, m.shows_nothing)}</p>}
    {groups.map(({ name, checks }) => (
      <section class="nested">
        <h3>{name}</h3>
        <ul>
          {checks.map(({ check_id, label }) => (
            <li>{label || names.get(check_id) || check_id}</li>
          ))}
        </ul>
      </section>
    ))}
  </section>
)

/**
 * Names of checks by their ids; empty if the viewer may not choose among them.
 * @param change the operation that takes checks
 * @param field the field of its input that takes them
 */
export async function checkNames(change: Operation, field: string, page: ViewedPage): Promise<ReadonlyMap<string, string>> {
  const options = page.offered(change) ? (await page.choicesOf(change)).get(field) : undefined
  return new Map((options ?? []).map(({ id, name }) => [id, name]))
}
