/** The people who operate the installation: they see its page and receive its mails. */
import { sql } from 'kysely'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { SIGN_UP } from '../../people/sign-in/index.ts'
import type { MemberCaller } from '../../../runtime/table/caller.ts'
import { OPERATORS } from './settings.ts'

/** Mails go to at most so many. */
const MAX_OPERATORS = 20

/** The accounts that `OPERATORS` names and whose mailbox is proved: an identity provider of a workspace makes no operators. Or else the owners of the oldest workspace. Undefined if there are none. */
async function accounts(db: Db, config: Config) {
  const all = db.selectFrom('accounts').select(['id', 'email', 'locale']).orderBy('id').limit(MAX_OPERATORS)
  const named = config.of(OPERATORS)
  if (named.length > 0) {
    const [domains, addresses] = [named.filter(each => each.startsWith('@')), named.filter(each => !each.startsWith('@'))]
    return all
      .where('mailbox_proved_at', 'is not', null)
      .where(({ or, eb }) =>
        or([
          ...(addresses.length > 0 ? [eb('email', 'in', addresses)] : []),
          ...domains.map(each => eb(sql<string>`substr(email, length(email) - ${each.length - 1})`, '=', each)),
        ]),
      )
  }
  if (config.of(SIGN_UP) === 'open') return undefined // the oldest workspace may be a stranger's
  const oldest = await db.selectFrom('workspaces').select('id').orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  const owners = db.selectFrom('members').select('account_id').where('role', '=', 'owner').where('active', '=', 1)
  return oldest && all.where('id', 'in', owners.where('workspace_id', '=', oldest.id))
}

export const operatorsOf = async (db: Db, config: Config) => (await accounts(db, config))?.execute() ?? []

/** Whether this person may see the installation now: a provider that signed them in answers only for its own workspace. */
export async function isOperator(db: Db, config: Config, { signedInBy, member }: MemberCaller): Promise<boolean> {
  if (signedInBy !== undefined) return false
  const found = await (await accounts(db, config))?.where('id', '=', member.accountId).executeTakeFirst()
  return found !== undefined
}
