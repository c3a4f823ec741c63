/** Sessions as a way to call: from the cookie to the person, in every workspace that they are a member of. */
import { sql } from 'kysely'
import { authenticator } from '../../../runtime/authenticator.ts'
import type { Caller } from '../../../runtime/caller.ts'
import { fail } from '../../../runtime/errors.ts'
import { isRole, roles } from '../../../runtime/permissions.ts'
import { after } from '../../../storage/awaitable.ts'
import { prepared } from '../../../storage/prepared.ts'
import { comeIn, isOpenTo, isShutOut } from '../members/index.ts'
import { sessionCookie } from './cookie.ts'
import { expiresAt, idleMs, longestMs } from './lifetime.ts'

const findSession = prepared((db, hash: string) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .leftJoin('members as m', 'm.account_id', 'a.id')
    .leftJoin('sso_configurations as c', 'c.workspace_id', 'm.workspace_id')
    .leftJoin('sso_sessions as i', 'i.session_id', 's.id')
    .leftJoin('workspace_settings as w', 'w.workspace_id', 'm.workspace_id')
    .where('s.hash', '=', hash)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .select([
      's.id',
      's.account_id',
      's.method',
      's.signed_in_at',
      's.last_used_at',
      's.expires_at',
      's.created_at',
      'a.email',
      'a.name',
      'a.email_verified_at',
      'm.id as member_id',
      'm.workspace_id',
      'm.role',
      'm.active',
      'm.awaited_email',
      'c.enforced',
      'i.workspace_id as signed_in_by',
      'a.two_factor',
      'a.passkeys',
      'w.require_two_factor',
    ]),
)
type Row = Awaited<ReturnType<typeof findSession>>[number]

/** A session with each of its person's memberships that is active, and whose workspace asks for no more than they have shown. */
export interface SignedIn {
  readonly session: Pick<Row, 'id' | 'account_id' | 'email' | 'name' | 'signed_in_at' | 'last_used_at'>
  readonly memberships: readonly Row[]
  /** It began with everything that the person has to prove themselves with. */
  readonly isProved: boolean
}

export const session = authenticator<'session', SignedIn>({
  name: 'session',
  sentAs: { cookie: sessionCookie },
  acceptedBy: 'pages',
  find: (db, hash, now, config) =>
    after(findSession(db, hash), rows => {
      const [session] = rows
      if (!session || expiresAt(session, config) <= now) return undefined
      const active = rows.filter(({ active }) => active === 1)
      const memberships = active.filter(row => isOfProvider(row) && isStrongEnough(row) && isOpenTo(row, session))
      // The first is where they are when nothing says where: not where they were put and never came in.
      memberships.sort((a, b) => Number(a.awaited_email !== null) - Number(b.awaited_email !== null))
      const found = { session, memberships, isProved: isProved(rows) }
      if (active.length > 0) return found
      // Who is a member nowhere may still look after their account.
      const members = rows.flatMap(({ workspace_id, active, awaited_email }) =>
        workspace_id === null ? [] : [{ workspace_id, active: active ?? 0, awaited_email }],
      )
      return after(isShutOut(db, session.email, members), isOut => (isOut ? fail('account_deactivated') : found))
    }),
  callerOf({ memberships, ...signedIn }) {
    const elsewhere = new Map<string, Caller>()
    const callers = (memberships.length === 0 ? [undefined] : memberships).map(row => ({ ...inWorkspace(signedIn, row), elsewhere }))
    for (const caller of callers) if (caller.workspaceId !== '') elsewhere.set(caller.workspaceId, caller)
    return callers[0] ?? fail('invalid_token')
  },
  /** With its account, which is locked first by whoever takes that over (`proveAddress`). */
  async hold(db, id, { rowLock }) {
    const own = db.selectFrom('sessions').select('account_id').where('id', '=', id)
    await db.selectFrom('accounts').select('id').where('id', 'in', own).modifyEnd(sql.raw(rowLock.wait)).execute()
    return (await own.executeTakeFirst()) !== undefined
  },
  noteUse: (store, id, now, config) =>
    store.write
      .updateTable('sessions')
      .set(({ case: when, eb }) => ({
        last_used_at: now,
        expires_at: when()
          .when('created_at', '<', now + idleMs - longestMs(config))
          .then(eb('created_at', '+', longestMs(config)))
          .else(now + idleMs)
          .end(),
      }))
      .where('id', '=', id)
      .execute(),
})

/** Whether the session may be used where single sign-on is enforced: the workspace's own identity provider began it, or it is an owner's (docs/decisions.md §7). */
const isOfProvider = ({ enforced, role, signed_in_by, workspace_id }: Row): boolean =>
  enforced !== 1 || role === 'owner' || signed_in_by === workspace_id

/**
 * Whether the sign-in has shown the second factor that a workspace asks for. Who comes by its identity provider has shown
 * that what it asks for; another's knows nothing of it, and beside a passkey a password alone still signs in.
 */
function isStrongEnough({ require_two_factor, method, two_factor, passkeys, signed_in_by, workspace_id }: Row): boolean {
  if (require_two_factor !== 1 || signed_in_by === workspace_id) return true
  return method !== 'sso' && (two_factor === 1 || (passkeys > 0 && method !== 'password'))
}

/**
 * An identity provider signs people in without the factors that they have here. That does not change those, unless it is
 * the only way in.
 */
function isProved(rows: readonly Row[]): boolean {
  const hasFactor = rows.some(({ two_factor, passkeys }) => two_factor === 1 || passkeys > 0)
  const isOnlyWay = rows.some(row => row.enforced === 1 && row.role !== 'owner' && row.signed_in_by === row.workspace_id)
  return rows[0]?.method !== 'sso' || !hasFactor || isOnlyWay
}

function inWorkspace({ session, isProved }: Omit<SignedIn, 'memberships'>, row: Row | undefined): Caller {
  const role = row?.role ?? ''
  return {
    kind: 'session',
    credentialId: session.id,
    workspaceId: row?.workspace_id ?? '',
    permissions: new Set(isRole(role) ? roles[role].permissions : []),
    siteIds: [],
    actor: session.email,
    member: {
      memberId: row?.member_id ?? '',
      accountId: session.account_id,
      email: session.email,
      name: session.name ?? session.email,
      role,
    },
    expiresAt: null,
    allowedIps: [],
    lastUsedAt: session.last_used_at,
    ...(row && row.awaited_email !== null && { comesIn: db => comeIn(db, row.member_id ?? '') }),
    provedAt: isProved ? session.signed_in_at : 0,
  }
}
