/** The methods of MCP that are answered here. Another one is a row. */
import { capabilities, instructions, serverInfo } from './about.ts'
import { callTool } from './call.ts'
import { type Era, fault, handshakeVersions, type Params, statelessVersions } from './message.ts'
import { searchTools } from './search.ts'
import type { Visit } from './visit.ts'

interface Method {
  readonly eras: readonly Era[]
  /** How long a client may keep the answer (MCP 2026-07-28, caching), in milliseconds; for nobody else's use. */
  readonly ttlMs?: number
  /** It asks who calls by itself; otherwise that is asked before it. */
  readonly identifies?: true
  answer(visit: Visit, params: Params): object | Promise<object>
}

const both: readonly Era[] = ['handshake', 'stateless']
const fiveMinutes = 300_000

export const methods: Readonly<Record<string, Method>> = {
  initialize: {
    eras: ['handshake'],
    answer({ offer }, { protocolVersion }) {
      // Who arrives by a wrong URL hears it at once; or with the list, as clients keep what discover says to themselves.
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
    async answer({ app, offer, identify, tools }, { cursor }) {
      // One page: not every client asks for a second.
      if (cursor !== undefined) fault('invalid_params', 'There is no such cursor: the list of tools has one page.')
      const offered = offer()
      if (offered.search) return { tools: searchTools(offered) }
      const caller = await identify()
      const allowed = offered.operations.filter(operation => app.allows(caller, operation))
      return { tools: allowed.map(({ id }) => tools().get(id)) }
    },
  },
  'tools/call': { eras: both, identifies: true, answer: callTool },
}
