/** The workspaces of an installation in the words of commands, which take one by its id. */
import { type Installed, workspacesOf } from '../operations/service/setup/set-up.ts'
import { withoutHidden } from '../runtime/values/hidden-characters.ts'
import type { Db } from '../storage/store.ts'

/**
 * The workspace that was asked for, or the only one.
 * @throws Error that lists those there are
 */
export async function workspaceAsked(db: Db, id: string | undefined): Promise<string> {
  const all = await workspacesOf(db)
  if (all.length === 0) throw new Error('There is no workspace yet: "npm start" makes one, or "npm run setup"')
  if (id === undefined && all.length > 1) throw new Error(`--workspace says which:\n${listed(all)}`)
  if (id === undefined) return all[0]?.id ?? ''
  const found = await db.selectFrom('workspaces').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw new Error(`There is no workspace "${id}" here, but:\n${listed(all)}`)
  return id
}

/** One a line, with its owner. */
export function listed(workspaces: readonly Installed[]): string {
  return workspaces.map(({ id, name, owner }) => withoutHidden(`  ${id}  ${name}${owner === null ? '' : `  (${owner})`}`)).join('\n')
}
