/** Names that others know of a person and their workspaces. Passwords that contain them are easy to guess. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'

/** Largest number of names that are checked: each one costs time at every password. */
const max = 25

interface About {
  readonly db: Db
  readonly config: Pick<Config, 'BASE_URL'>
  /** A person who is a member of workspaces, or a workspace that a person joins. */
  readonly accountId?: string
  readonly workspaceId?: string
  /** Further names, for example an address and a name that were just typed. */
  readonly also?: readonly (string | null | undefined)[]
}

export async function namesAbout({ db, config, accountId = '', workspaceId = '', also = [] }: About): Promise<string[]> {
  const [accounts, workspaces, sites] = await Promise.all([
    db.selectFrom('accounts').select(['email', 'name']).where('id', '=', accountId).execute(),
    db
      .selectFrom('workspaces as w')
      .select('w.name')
      .where(eb =>
        eb.or([
          eb('w.id', '=', workspaceId),
          eb('w.id', 'in', eb.selectFrom('members as m').select('m.workspace_id').where('m.account_id', '=', accountId)),
        ]),
      )
      .limit(max)
      .execute(),
    db
      .selectFrom('sites as s')
      .select(['s.name', 's.domain'])
      .where('s.deleted_at', 'is', null)
      .where(eb =>
        eb.or([
          eb('s.workspace_id', '=', workspaceId),
          eb('s.workspace_id', 'in', eb.selectFrom('members as m').select('m.workspace_id').where('m.account_id', '=', accountId)),
        ]),
      )
      .orderBy('s.created_at')
      .limit(max)
      .execute(),
  ])
  const { hostname } = new URL(config.BASE_URL)
  const all = [...also, hostname, ...accounts.flatMap(({ email, name }) => [email, name]), ...workspaces.map(({ name }) => name)]
  return ['Footfall', ...all, ...sites.flatMap(({ name, domain }) => [name, domain])].filter(text => typeof text === 'string')
}
