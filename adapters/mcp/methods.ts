/** The methods of MCP that the server supports, one row each. */
import { capabilities, instructions, serverInfo } from './about.ts'
import { callTool } from './call.ts'
import { type Era, fault, handshakeVersions, type Params, statelessVersions } from './message.ts'
import { searchTools } from './search.ts'
import type { McpRequest } from './request.ts'

interface Method {
  readonly eras: readonly Era[]
  /** How long a client may cache the answer, ms; it is private to the client (MCP 2026-07-28, caching). */
  readonly ttlMs?: number
  /** True if the method authenticates by itself; others are authenticated before. */
  readonly identifies?: true
  answer(request: McpRequest, params: Params): object | Promise<object>
}

const both: readonly Era[] = ['handshake', 'stateless']
const fiveMinutes = 300_000

export const methods: Readonly<Record<string, Method>> = {
  initialize: {
    eras: ['handshake'],
    answer({ offer }, { protocolVersion }) {
      // Reject an invalid URL. (Not in `server/discover`, whose errors clients do not show: there the list fails.)
      offer()
      const spoken = handshakeVersions.find(version => version === protocolVersion) ?? handshakeVersions[0]
      return { protocolVersion: spoken, capabilities, serverInfo, instructions }
    },
  },
  ping: { eras: ['handshake'], answer: () => ({}) },
  'server/discover': {
    eras: both,
    ttlMs: fiveMinutes,
    answer: () => ({ supportedVersions: statelessVersions, capabilities, instructions }),
  },
  'tools/list': {
    eras: both,
    ttlMs: fiveMinutes,
    async answer({ app, offer, identify, listed }, { cursor }) {
      // One page, as not every client asks for a second.
      if (cursor !== undefined) fault('invalid_params', 'There is no such cursor: the list of tools has one page.')
      const offered = offer()
      if (offered.search) return { tools: searchTools(offered) }
      const caller = await identify()
      return { tools: listed(offered.operations.filter(operation => app.allows(caller, operation))) }
    },
  },
  'tools/call': { eras: both, identifies: true, answer: callTool },
}
