/** A client that behaves: registers, sends a person to consent, and exchanges the code. Tests override single steps. */
import { createHash } from 'node:crypto'
import { randomBytes } from '../../support/chance.ts'
import { request, type Reply, type TestService } from '../../support/world.ts'
import type { TestBrowser } from '../sign-in/browser.ts'

export const redirectUri = 'https://client.test/callback'
export const verifier = 'a-verifier-of-more-than-43-characters-that-is-known'
export const challenge = createHash('sha256').update(verifier).digest('base64url')

export type Fields = Readonly<Record<string, string>>

export function register(service: TestService, metadata: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
  return request(service, 'POST', '/oauth/register', { body: { client_name: 'Helper', redirect_uris: [redirectUri], ...metadata } })
}

export async function registered(service: TestService, metadata: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return (await register(service, metadata)).body.client_id
}

/** The parameters of a request as they should be. */
export const asking = (clientId: string, more: Fields = {}): Record<string, string> => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: randomBytes(6).toString('hex'),
  scope: 'analytics.read content.write',
  ...more,
})

export const pathOf = (asked: Fields): string => `/oauth/authorize?${new URLSearchParams(asked)}`

/** The fields that the page posts when a person allows it. */
export const allowing = (workspaceId: string, more: Fields = {}): Record<string, string> => ({
  workspace_id: workspaceId,
  decision: 'allow',
  permissions: 'analytics.read,content.write',
  sites: 'all',
  ...more,
})

/** Consents. @returns the parameters of the answer that the client gets */
export async function consented(browser: TestBrowser, asked: Fields, allowed: Fields): Promise<URLSearchParams> {
  const { status, headers, text } = await browser.submit('/oauth/authorize', { ...asked, ...allowed })
  if (status !== 303) throw new Error(text)
  return new URL(headers.get('location') ?? '').searchParams
}

export function post(service: TestService, path: string, fields: Fields | string, headers: Fields = {}): Promise<Reply> {
  return request(service, 'POST', path, {
    body: typeof fields === 'string' ? fields : String(new URLSearchParams(fields)),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export const exchanging = (clientId: string, code: string, more: Fields = {}): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  redirect_uri: redirectUri,
  code,
  code_verifier: verifier,
  ...more,
})
export const refreshing = (clientId: string, token: string, more: Fields = {}): Record<string, string> => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: token,
  ...more,
})

export const token = (service: TestService, fields: Fields): Promise<Reply> => post(service, '/oauth/token', fields)

export interface Connected {
  readonly clientId: string
  readonly code: string
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

/** A client that a person has connected. */
export async function connect(
  service: TestService,
  browser: TestBrowser,
  workspaceId: string,
  { asked = {}, allowed = {} }: { asked?: Fields; allowed?: Fields } = {},
): Promise<Connected> {
  const clientId = asked.client_id ?? (await registered(service))
  const answer = await consented(browser, asking(clientId, asked), allowing(workspaceId, allowed))
  const code = answer.get('code') ?? ''
  const { status, body, text } = await token(service, exchanging(clientId, code))
  if (status !== 200) throw new Error(text)
  return { clientId, code, access: body.access_token, refresh: body.refresh_token, scope: body.scope }
}
