/**
 * What a client gets for a consent: an access token, which is a row of `api_tokens`, and a refresh token, which changes at
 * every use. The row stays the same while its secret is replaced, so that the audit log and rates know one client as one.
 * Revoking that row ends everything.
 */
import { createHash } from 'node:crypto'
import { auditPerson } from '../../../runtime/audit.ts'
import { hashCredential } from '../../../runtime/authenticator.ts'
import { isPermission, type Permission } from '../../../runtime/permissions.ts'
import { makeToken } from '../../../runtime/tokens.ts'
import type { Db } from '../../../storage/store.ts'
import type { OAuthGrantRow } from '../../../storage/tables/oauth.ts'
import { issueToken, renewToken, revokeToken } from '../tokens/index.ts'
import { hostOf } from './client.ts'
import { exchangedFor, takeCode } from './codes.ts'
import { accessMs, grantMs, usedClientMs } from './lifetimes.ts'
import { refuse, type Refusal } from './manner.ts'
import { type Owner, ownerOf } from './owner.ts'
import { permissionsIn } from './scope.ts'

export interface Granting {
  readonly db: Db
  readonly now: number
  random(size: number): Buffer
  readonly request: { readonly id: string; readonly ip: string; readonly surface: string }
}

export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly permissions: readonly string[]
}

export interface Exchange {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | undefined
}

const unusable = refuse('invalid_grant', 'This code is not good: it was used before, its time is over, or it was given to another client.')

/** Runs in a transaction that is committed whatever it answers: a code that was shown is used up. */
export async function exchange(
  granting: Granting,
  { code, clientId, redirectUri, verifier, resource }: Exchange,
): Promise<Tokens | Refusal> {
  const { db, now, random } = granting
  const taken = await takeCode(db, code, now)
  if (!taken) {
    const tokenId = await exchangedFor(db, code)
    if (tokenId !== null) await endMisused(granting, tokenId, 'code_used_again')
    return unusable
  }
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  if (taken.expires_at <= now || taken.client_id !== clientId || taken.redirect_uri !== redirectUri || taken.challenge !== challenge)
    return unusable
  if (resource !== undefined && resource !== taken.resource)
    return refuse('invalid_target', 'resource must be the one that was consented to.')
  const owner = await ownerOf(db, taken.member_id, { bySso: taken.by_sso === 1 })
  if (!owner) return unusable
  const permissions = listOf(taken.permissions)
  const { row, token } = await issueToken(db, granting, {
    workspaceId: owner.workspaceId,
    memberId: owner.memberId,
    name: taken.client_name,
    permissions,
    siteIds: listOf(taken.site_ids),
    expiresAt: now + accessMs,
    oauthClient: clientId,
  })
  const host = hostOf(clientId, redirectUri)
  await db
    .insertInto('oauth_grants')
    .values({
      token_id: row.id,
      client_id: clientId,
      client_host: host,
      resource: taken.resource,
      permissions: taken.permissions,
      by_sso: taken.by_sso,
      created_at: now,
      expires_at: now + grantMs,
    })
    .execute()
  await db.updateTable('oauth_codes').set({ token_id: row.id }).where('hash', '=', taken.hash).execute()
  await write(granting, owner, { operation: 'oauth_token', outcome: 'done', tokenId: row.id, about: { client: host, permissions } })
  return { access: token, refresh: await makeRefresh({ db, now, random }, row.id), permissions }
}

export interface Refreshing {
  readonly refresh: string
  readonly clientId: string
  readonly scope: string | undefined
  readonly resource: string | undefined
}

const ended = refuse('invalid_grant', 'This refresh token is not good any more: connect again.')

/** As `exchange`: what it ends stays ended. */
export async function refresh(granting: Granting, { refresh, clientId, scope, resource }: Refreshing): Promise<Tokens | Refusal> {
  const { db, now, random } = granting
  const hash = hashCredential(refresh)
  const found = await db
    .selectFrom('oauth_refresh_tokens as r')
    .innerJoin('oauth_grants as g', 'g.token_id', 'r.token_id')
    .innerJoin('api_tokens as t', 't.id', 'r.token_id')
    .selectAll('g')
    .select(['r.used_at', 'r.expires_at as good_until', 't.member_id', 't.revoked_at'])
    .where('r.hash', '=', hash)
    .executeTakeFirst()
  if (!found || found.good_until <= now || found.revoked_at !== null) return ended
  if (found.used_at !== null || found.client_id !== clientId) {
    await endMisused(granting, found.token_id, found.used_at === null ? 'refresh_token_of_another_client' : 'refresh_token_used_again')
    return ended
  }
  if (resource !== undefined && resource !== found.resource)
    return refuse('invalid_target', 'resource must be the one that was consented to.')
  const permissions = narrowed(found, scope)
  if (!permissions) return refuse('invalid_scope', 'scope names what was not consented to.')
  if (!(await ownerOf(db, found.member_id, { bySso: found.by_sso === 1 }))) {
    await revokeToken(db, found.token_id, now)
    return ended
  }
  const taken = await db
    .updateTable('oauth_refresh_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  if (!taken) {
    await endMisused(granting, found.token_id, 'refresh_token_used_again')
    return ended
  }
  const access = await renewToken(db, random, found.token_id, { permissions, expiresAt: now + accessMs })
  if (access === undefined) return ended
  await db
    .updateTable('oauth_grants')
    .set({ expires_at: now + grantMs })
    .where('token_id', '=', found.token_id)
    .execute()
  await keepClient({ db, now }, found.client_id)
  return { access, refresh: await makeRefresh({ db, now, random }, found.token_id), permissions }
}

/** A client may have less for a while, and never more. */
function narrowed({ permissions }: Pick<OAuthGrantRow, 'permissions'>, scope: string | undefined): readonly Permission[] | undefined {
  const granted = listOf(permissions).filter(isPermission)
  if (scope === undefined || scope.trim() === '') return granted
  const asked = permissionsIn(scope)
  return asked?.every(permission => granted.includes(permission)) ? asked : undefined
}

async function makeRefresh({ db, now, random }: Pick<Granting, 'db' | 'now' | 'random'>, tokenId: string): Promise<string> {
  const token = makeToken(random, 'prt_')
  await db
    .insertInto('oauth_refresh_tokens')
    .values({ hash: hashCredential(token), token_id: tokenId, used_at: null, created_at: now, expires_at: now + grantMs })
    .execute()
  return token
}

/** A registered client that people use is not forgotten. */
export async function keepClient({ db, now }: Pick<Granting, 'db' | 'now'>, clientId: string): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ expires_at: now + usedClientMs })
    .where('id', '=', clientId)
    .execute()
}

/** Somebody shows what was used up: it was copied, and nobody knows who has the copy (RFC 9700 §4.14.2). */
async function endMisused(granting: Granting, tokenId: string, reason: string): Promise<void> {
  if (!(await revokeToken(granting.db, tokenId, granting.now))) return
  await auditGrant(granting, tokenId, { operation: 'oauth_token', outcome: 'refused', about: { reason } })
}

/** Ends what a token is part of, if it is this client's. @returns false where it is another's */
export async function revoke(granting: Granting, token: string, clientId: string): Promise<boolean> {
  const { db, now } = granting
  const hash = hashCredential(token)
  const found = token.startsWith('prt_')
    ? await db
        .selectFrom('oauth_grants as g')
        .innerJoin('oauth_refresh_tokens as r', 'r.token_id', 'g.token_id')
        .select(['g.token_id', 'g.client_id'])
        .where('r.hash', '=', hash)
        .executeTakeFirst()
    : await db
        .selectFrom('oauth_grants as g')
        .innerJoin('api_tokens as t', 't.id', 'g.token_id')
        .select(['g.token_id', 'g.client_id'])
        .where('t.hash', '=', hash)
        .executeTakeFirst()
  if (!found) return true
  if (found.client_id !== clientId) return false
  if (await revokeToken(db, found.token_id, now)) await auditGrant(granting, found.token_id, { operation: 'oauth_revoke', outcome: 'done' })
  return true
}

interface Entry {
  readonly operation: string
  readonly outcome: 'done' | 'refused'
  readonly about?: Readonly<Record<string, unknown>>
}

async function auditGrant(granting: Granting, tokenId: string, entry: Entry): Promise<void> {
  const row = await granting.db
    .selectFrom('oauth_grants as g')
    .innerJoin('api_tokens as t', 't.id', 'g.token_id')
    .innerJoin('members as m', 'm.id', 't.member_id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select(['g.client_host', 't.member_id', 'm.workspace_id', 'm.account_id', 'a.email'])
    .where('g.token_id', '=', tokenId)
    .executeTakeFirst()
  if (!row) return
  const owner = { memberId: row.member_id, workspaceId: row.workspace_id, accountId: row.account_id, email: row.email }
  await write(granting, owner, { ...entry, tokenId, about: { client: row.client_host, ...entry.about } })
}

async function write(
  { db, now, random, request }: Granting,
  { workspaceId, accountId, email }: Owner,
  { tokenId, ...entry }: Entry & { readonly tokenId: string },
): Promise<void> {
  await auditPerson(db, { now, random, request, workspaceId, accountId, actor: email, door: 'oauth', subjectId: tokenId, ...entry })
}

function listOf(json: string): string[] {
  return JSON.parse(json) // written as a list of strings
}
