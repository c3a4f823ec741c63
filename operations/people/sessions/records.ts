/** A session is a browser that somebody is signed in with. */
import { type Static, Type } from '@sinclair/typebox'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Caller } from '../../../runtime/table/caller.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'
import { browserOf } from './browser.ts'
import { endsAt, expiresAt, idleMs } from './lifetime.ts'

export const ids = { session: idKind('ses_') }

/** The ways to prove who one is. */
export const methods = ['password', 'passkey', 'link', 'sso'] as const
export type Method = (typeof methods)[number]

/** As long as it lasts: an ended one is gone. */
export const browser_session = subject<'browser_session', SessionRow>({
  name: 'browser_session',
  async find(db, id) {
    const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, accountId: row.account_id }
  },
})

export const Session = record(
  'Session',
  {
    id: Type.String({ description: 'Prefix `ses_`.' }),
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
    method: OneOf(methods, { description: 'What was proved last: at the sign-in, or by making a passkey.' }),
    browser: Type.String({ description: 'Browser and system, as the browser calls itself.' }),
    user_agent: Type.String({ description: 'All that it calls itself: its `User-Agent`, cut at 300 characters.' }),
    ip: Type.String({ description: 'Address that it began from.' }),
    signed_in_at: DateTime({ description: 'Its last sign-in.' }),
    last_used_at: DateTime({ description: 'Its last request, to the minute.' }),
    started_at: DateTime({ description: 'When it began, by a sign-in.' }),
    expires_at: DateTime({
      description: 'When it ends unless it is used before: 30 days after its last request, and no later than `ends_at`.',
    }),
    ends_at: DateTime({ description: 'When it ends, however much it is used: `SESSION_DAYS` after `started_at`.' }),
    created_at: DateTime({ description: 'The same as `started_at`.' }),
  },
  'A browser that is signed in.',
)

export const SignedOut = record(
  'SignedOut',
  {
    ...Session.properties,
    next: Nullable(Type.String(), {
      description: 'Page of this service that signs out at the identity provider as well, where it offers that: the browser goes there.',
    }),
  },
  'A browser that was signed out.',
)

export const SessionsEnded = record(
  'SessionsEnded',
  { ended: Type.Integer({ unit: 'count', description: 'Number of sessions that ended.' }) },
  'Browsers that were signed out.',
)

/** A session that begins now. @param secret the cookie's value: only its hash is kept */
export function sessionRow({
  id,
  accountId,
  secret,
  now,
  method = 'password',
  endsAt = Number.POSITIVE_INFINITY,
  ip = '',
  userAgent = '',
  lastsMs = idleMs,
}: {
  readonly id: string
  readonly accountId: string
  readonly secret: string
  readonly now: number
  readonly method?: Method
  readonly endsAt?: number | undefined
  readonly ip?: string
  readonly userAgent?: string
  readonly lastsMs?: number
}): SessionRow {
  return {
    id,
    account_id: accountId,
    hash: hashCredential(secret),
    method,
    signed_in_at: now,
    last_used_at: now,
    expires_at: Math.min(now + Math.min(idleMs, lastsMs), endsAt),
    ip,
    user_agent: userAgent.replaceAll(/[\0\p{Cs}]/gu, '').slice(0, 300),
    created_at: now,
  }
}

export function toSession(
  row: SessionRow,
  { caller, config }: { caller: Pick<Caller, 'credentialId'>; config: Config },
): Static<typeof Session> {
  return {
    id: row.id,
    current: row.id === caller.credentialId,
    method: among(methods, row.method),
    browser: browserOf(row.user_agent),
    user_agent: row.user_agent,
    ip: row.ip,
    signed_in_at: iso(row.signed_in_at),
    last_used_at: iso(row.last_used_at),
    started_at: iso(row.created_at),
    expires_at: iso(expiresAt(row, config)),
    ends_at: iso(endsAt(row, config)),
    created_at: iso(row.created_at),
  }
}
