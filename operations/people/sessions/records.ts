/** A session: a browser in which a person is signed in. */
import { type Static, Type } from '@sinclair/typebox'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Caller } from '../../../runtime/table/caller.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, DateTime, iso, Nullable, OneOf, record, technical } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'
import { browserOf } from './browser.ts'
import { endsAt, expiresAt, idleMs } from './lifetime.ts'

export const ids = { session: idKind('ses_') }

/** The ways to prove an identity. */
export const methods = ['password', 'passkey', 'link', 'sso'] as const
export type Method = (typeof methods)[number]

/** An ended session no longer exists. */
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
    current: Type.Boolean({ description: 'Whether this is the session of the caller.' }),
    method: OneOf(methods, { description: 'Method of the last proof: at the sign-in, or by creating a passkey.' }),
    browser: Type.String({ description: 'Browser and operating system, from the `User-Agent`.' }),
    user_agent: Type.String({ [technical]: true, description: 'The `User-Agent`, cut to 300 characters.' }),
    ip: Type.String({ description: 'IP address that the session began from.' }),
    signed_in_at: DateTime({ description: 'Time of its last sign-in.' }),
    last_used_at: DateTime({ description: 'Time of its last request, to the minute.' }),
    started_at: DateTime({ description: 'When the session began.' }),
    expires_at: DateTime({
      description: 'When the session ends unless it is used before: 30 days after its last request, and no later than `ends_at`.',
    }),
    ends_at: DateTime({ description: 'When the session ends even if it is used: `SESSION_DAYS` after `started_at`.' }),
    created_at: DateTime({ description: 'Equals `started_at`.' }),
  },
  'A browser that is signed in.',
)

export const SignedOut = record(
  'SignedOut',
  {
    ...Session.properties,
    next: Nullable(Type.String(), {
      description: 'Page of this service to open next. It signs out at the identity provider as well, if the provider offers that.',
    }),
  },
  'A browser that was signed out.',
)

export const SessionsEnded = record(
  'SessionsEnded',
  { ended: Type.Integer({ unit: 'count', description: 'Number of sessions that ended.' }) },
  'Browsers that were signed out.',
)

/** Creates the row of a session that begins now. @param secret the cookie's value, of which only the hash is stored */
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
