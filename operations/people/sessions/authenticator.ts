/** Sessions as a credential: from the cookie to the person, in every workspace of theirs that the sign-in opens. */
import { sql } from 'kysely'
import { authenticator } from '../../../runtime/table/authenticator.ts'
import type { Caller } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { permissionsOf } from '../../../runtime/table/permissions.ts'
import { after, type Awaitable } from '../../../storage/values/awaitable.ts'
import { prepared } from '../../../storage/sql/prepared.ts'
import type { Db } from '../../../storage/store.ts'
import { comeIn, isOpenTo, isShutOut } from '../members/index.ts'
import { sessionCookie } from './cookie.ts'
import { renewSession } from './start.ts'
import { expiresAt, idleMs, maxMs } from './lifetime.ts'

const findSession = prepared('sessions/authenticator.session', (db, hash: string) =>
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
      'i.is_linked',
      'i.ends_at',
      'a.two_factor',
      'a.passkeys',
      'w.require_two_factor',
    ]),
)
type Row = Awaited<ReturnType<typeof findSession>>[number]

const findPassword = prepared('sessions/authenticator.password', (db, accountId: string) =>
  db.selectFrom('passwords').select('account_id').where('account_id', '=', accountId),
)

/**
 * A session with each active membership of its person whose workspace requires no more than this sign-in has shown.
 * A session that an identity provider began has only the membership in its workspace (docs/decisions.md §7).
 */
export interface SignedIn {
  readonly session: Pick<Row, 'id' | 'account_id' | 'email' | 'name' | 'method' | 'signed_in_at' | 'last_used_at'>
  readonly memberships: readonly Row[]
  readonly signedInBy: string | null
  readonly withoutAccount: boolean
}

export const session = authenticator<'session', SignedIn>({
  name: 'session',
  sentAs: { cookie: sessionCookie },
  acceptedBy: 'pages',
  find: (db, hash, { now, config }) =>
    after(findSession(db, hash), rows => {
      const [session] = rows
      if (!session || expiresAt(session, config) <= now) return undefined
      if (session.method === 'sso' || session.signed_in_by !== null) return ofProvider(db, rows, now)
      const active = rows.filter(({ active }) => active === 1)
      const memberships = active.filter(row => isOpenBesideSso(row) && isStrongEnough(row) && isOpenTo(row, session))
      // The first membership is the default one, so memberships that the person has never joined come last.
      memberships.sort((a, b) => Number(a.awaited_email !== null) - Number(b.awaited_email !== null))
      const found = { session, memberships, signedInBy: null, withoutAccount: false }
      if (active.length > 0) return found
      // A person without memberships can still manage their account.
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
  /** By its account, which `proveAddress` locks first. */
  hold: (db, id, { rowLock }) =>
    db
      .selectFrom('accounts')
      .select('id')
      .where('id', 'in', own => own.selectFrom('sessions').select('account_id').where('id', '=', id))
      .modifyEnd(sql.raw(rowLock.wait))
      .execute(),
  renew: renewSession,
  noteUse: (store, id, { now, config }) =>
    store.write
      .updateTable('sessions')
      .set(({ case: when, eb, fn, selectFrom }) => ({
        last_used_at: now,
        expires_at: fn.coalesce(
          selectFrom('sso_sessions')
            .select('ends_at')
            .whereRef('session_id', '=', 'sessions.id')
            .where('ends_at', '<', now + idleMs),
          when()
            .when('created_at', '<', now + idleMs - maxMs(config))
            .then(eb('created_at', '+', maxMs(config)))
            .else(now + idleMs)
            .end(),
        ),
      }))
      .where('id', '=', id)
      .execute(),
})

/**
 * A session that an identity provider began. The provider vouches for the person only in its own workspace, not elsewhere, and for an
 * owner only if the owner linked it. So the session ends with the membership.
 */
function ofProvider(db: Db, rows: readonly Row[], now: number): Awaitable<SignedIn | undefined> {
  const row = rows.find(({ workspace_id, signed_in_by }) => workspace_id !== null && workspace_id === signed_in_by)
  if (!row || (row.ends_at ?? Number.POSITIVE_INFINITY) <= now) return undefined
  if (row.active !== 1) fail('account_deactivated')
  if (row.role === 'owner' && row.is_linked !== 1) return undefined
  const found = { session: row, memberships: [row], signedInBy: row.signed_in_by }
  if (rows.length > 1 || row.two_factor === 1 || row.passkeys > 0) return { ...found, withoutAccount: true }
  // If this sign-in created the account, and the account has nothing else, the session may manage all of it.
  return after(findPassword(db, row.account_id), passwords => ({ ...found, withoutAccount: passwords.length > 0 }))
}

/** Whether single sign-on leaves the workspace open to other kinds of sign-in. */
const isOpenBesideSso = ({ enforced, role }: Row): boolean => enforced !== 1 || role === 'owner'

/** Whether the sign-in has shown the second factor that a workspace requires: for a person with a passkey, a password is not enough. */
function isStrongEnough({ require_two_factor, method, two_factor, passkeys }: Row): boolean {
  return require_two_factor !== 1 || two_factor === 1 || (passkeys > 0 && method !== 'password')
}

function inWorkspace({ session, signedInBy, withoutAccount }: Omit<SignedIn, 'memberships'>, row: Row | undefined): Caller {
  const role = row?.role ?? ''
  return {
    kind: 'session',
    credentialId: session.id,
    workspaceId: row?.workspace_id ?? '',
    permissions: new Set(permissionsOf(role)),
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
    ...(row && row.awaited_email !== null && { recordFirstVisit: db => comeIn(db, row.member_id ?? '') }),
    provedAt: session.signed_in_at,
    provedBy: session.method,
    ...(signedInBy !== null && { signedInBy }),
    ...(withoutAccount && { withoutAccount }),
  }
}
