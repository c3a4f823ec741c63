/** Credentials of a request: how they are sent, read and hashed. */
import type { Authenticator, Request } from '../table/authenticator.ts'
import { basePath } from '../values/base-path.ts'
import { hashToken, isWellFormed } from './tokens.ts'

/** The token of `Authorization: Bearer …` (RFC 6750); undefined without such a header. */
export function bearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

/** The credential that a request sends for this authenticator; undefined if there is none. */
export function shownTo({ sentAs }: Authenticator, request: Request, baseUrl: string): string | undefined {
  return 'cookie' in sentAs ? cookieOf(request, sentAs.cookie, baseUrl) : bearer(request.header('authorization'))
}

/**
 * On https the name begins with `__Host-`, so that browsers accept the cookie only from this host (RFC 6265bis §4.1.3.2). Below a
 * path it begins with `__Secure-`: browsers accept `__Host-` only for a whole host, whose other paths belong to other services. On
 * http, where browsers refuse such names, it has no prefix.
 */
export const cookieName = (name: string, baseUrl: string): string =>
  !baseUrl.startsWith('https:') ? name : basePath(baseUrl) === '' ? `__Host-${name}` : `__Secure-${name}`

export function cookieOf(request: Pick<Request, 'header'>, name: string, baseUrl: string): string | undefined {
  return cookie(request.header('cookie'), cookieName(name, baseUrl))
}

interface CookieFor {
  readonly name: string
  readonly value: string
  readonly seconds: number
  readonly baseUrl: string
}

/** A line of `Set-Cookie` for a secret that only this service reads. @param seconds 0 deletes it */
export function cookieFor({ name, value, seconds, baseUrl }: CookieFor): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(name, baseUrl)}=${value}; Path=${basePath(baseUrl) || '/'}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Whether the credential has this authenticator's form; others are refused without a database query. */
export function fits({ sentAs }: Authenticator, credential: string): boolean {
  return 'cookie' in sentAs ? /^[\w-]{32,128}$/.test(credential) : isWellFormed(credential, sentAs.bearer)
}

export const hashCredential = hashToken

/** RFC 6265 §4.2: `name=value; name=value`. */
function cookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...value] = pair.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return undefined
}
