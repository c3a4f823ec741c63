/** The protected resources: the service, and its tools for MCP (RFC 8707). Both are one service: a token is good for either. */
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

const paths = ['', '/mcp'] as const

/**
 * The one that a client names: it may name the address that it was given, with its query (`/mcp?toolsets=everyday`).
 * @returns undefined for what is not ours
 */
export function resourceIn(text: string, baseUrl: string): string | undefined {
  if (text.length > 1_000 || text.includes('#') || !URL.canParse(text)) return undefined
  const asked = withoutEnd(text)
  return paths.map(path => `${baseUrl}${path}`).find(ours => withoutEnd(ours) === asked)
}

/** Canonical, without its query and a slash at the end; somebody's name in it stays. */
function withoutEnd(text: string): string {
  const { protocol, username, password, host, pathname } = new URL(text)
  const user = username === '' && password === '' ? '' : `${username}:${password}@`
  return `${protocol}//${user}${host}${pathname.replace(/\/$/, '')}`
}

export const resourceWords = (baseUrl: string): Message => m.resource_must_be({ service: baseUrl, mcp: `${baseUrl}${paths[1]}` })
