import { list, operation } from '../../../runtime/table/operation.ts'
import type { MemberCaller } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import { signing_out } from './hooks.ts'
import { maxMs } from './lifetime.ts'
import { browser_session, Session, SessionsEnded, SignedOut, toSession } from './records.ts'
import { endSession, endSessions } from './start.ts'

/** Sessions of the person. For a person whom an identity provider signed in, only the sessions that it began. */
function sessionsSeenBy(db: Db, { member: { accountId }, signedInBy, withoutAccount }: MemberCaller) {
  const own = db.selectFrom('sessions').selectAll().where('account_id', '=', accountId)
  if (!withoutAccount || signedInBy === undefined) return own
  return own.where('id', 'in', db.selectFrom('sso_sessions').select('session_id').where('workspace_id', '=', signedInBy))
}

export const sessions_list = list({
  route: 'GET /account/sessions',
  summary: 'List sessions',
  description: 'The browsers in which this person is signed in, most recently used first.',
  access: 'session',
  effect: 'read',
  input: {},
  of: Session,
  examples: [{ input: {} }],
  async run({ db, caller, config, now, page }) {
    const own = sessionsSeenBy(db, caller)
      .where('expires_at', '>', now)
      .where('created_at', '>', now - maxMs(config))
    const { rows, total } = await pageOf(own.orderBy('last_used_at', 'desc').orderBy('id'), page)
    return { rows: rows.map(row => toSession(row, { caller, config })), total }
  },
})

export const sessions_delete = operation({
  route: 'DELETE /account/sessions/{id}',
  summary: 'End a session',
  done: 'Session ended.',
  description: 'Signs that browser out from its next request on.',
  access: 'session',
  effect: 'delete',
  on: browser_session,
  input: {},
  output: Session,
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: { id: '{{session}}' } }],
  async run({ db, caller, config, browser_session, setCookie }) {
    if (!(await sessionsSeenBy(db, caller).where('id', '=', browser_session.id).executeTakeFirst())) fail('not_found')
    if (browser_session.id === caller.credentialId) await endSession({ db, config, setCookie }, browser_session.id)
    else await db.deleteFrom('sessions').where('id', '=', browser_session.id).execute()
    return toSession(browser_session, { caller, config })
  },
})

export const sessions_delete_others = operation({
  route: 'DELETE /account/sessions',
  summary: 'Sign out all others',
  done: 'All others are signed out.',
  description: 'Ends every session of this person except the one of the caller.',
  access: 'session',
  ofPerson: true,
  effect: 'delete',
  input: {},
  output: SessionsEnded,
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: {} }],
  async run({ db, caller }) {
    return { ended: await endSessions(db, caller.member.accountId, { except: caller.credentialId }) }
  },
})

export const sessions_end = operation({
  route: 'DELETE /session',
  summary: 'Sign out',
  done: 'Signed out.',
  description: 'Ends the session of the caller. If an identity provider began it and offers single logout, `next` leads there.',
  access: 'session',
  effect: 'delete',
  input: {},
  output: SignedOut,
  form: { page: 'GET /sign-in', after: ({ next }: { next: string | null }) => next ?? '/sign-in' },
  examples: [{ input: {} }],
  async run({ db, caller, config, emit, setCookie }) {
    const row = await db.selectFrom('sessions').selectAll().where('id', '=', caller.credentialId).executeTakeFirst()
    if (!row) fail('not_found')
    const leaving: { next: string | null } = { next: null }
    await emit(signing_out, { session: row, leaveBy: path => void (leaving.next = path) })
    await endSession({ db, config, setCookie }, row.id)
    return { ...toSession(row, { caller, config }), ...leaving }
  },
})
