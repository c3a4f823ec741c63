/** The protected resources: the service, and its MCP tools (RFC 8707). Both are one service, so a token is valid for either. */
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

const paths = ['', '/mcp'] as const

/**
 * Finds the resource that a client names: the client may use the URL that it received, with its query (`/mcp?toolsets=everyday`).
 * @returns undefined for another service
 */
export function resourceIn(text: string, baseUrl: string): string | undefined {
  if (text.length > 1_000 || text.includes('#') || !URL.canParse(text)) return undefined
  const asked = withoutEnd(text)
  return paths.map(path => `${baseUrl}${path}`).find(ours => withoutEnd(ours) === asked)
}

/** Removes the query and a trailing slash. Keeps a user name, so that such a URL matches nothing. */
function withoutEnd(text: string): string {
  const { protocol, username, password, host, pathname } = new URL(text)
  const user = username === '' && password === '' ? '' : `${username}:${password}@`
  return `${protocol}//${user}${host}${pathname.replace(/\/$/, '')}`
}

export const resourceWords = (baseUrl: string): Message => m.resource_must_be({ service: baseUrl, mcp: `${baseUrl}${paths[1]}` })
