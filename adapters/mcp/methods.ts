/** The methods of MCP that the server supports, one row each. */
import { isBlank } from '../../runtime/call/blank-arguments.ts'
import { capabilities, instructions, serverInfo } from './server-description.ts'
import { callTool } from './call.ts'
import { complete } from './completion.ts'
import { type Era, fault, handshakeVersions, type Params, statelessVersions } from './message.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listResourceTemplates, readResource } from './resources.ts'
import { searchTools } from './search.ts'
import type { McpRequest } from './request.ts'

interface Method {
  readonly eras: readonly Era[]
  /** How long a client may cache the answer, ms; it is private to the client (MCP 2026-07-28, caching). */
  readonly ttlMs?: number
  /** True if the method authenticates by itself; others are authenticated before. */
  readonly identifies?: true
  answer(request: McpRequest, params: Params, era: Era): object | Promise<object>
}

const both: readonly Era[] = ['handshake', 'stateless']
const fiveMinutes = 300_000

/** Lists have one page, as not every client asks for a second. */
function onePage(cursor: unknown): void {
  if (!isBlank(cursor)) fault('invalid_params', 'There is no such cursor: the list has one page.')
}

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
      onePage(cursor)
      const offered = offer()
      if (offered.search) return { tools: searchTools(offered) }
      const caller = await identify()
      const tools = listed(offered.operations.filter(operation => app.allows(caller, operation)))
      return { tools: offered.searched ? [...tools, ...searchTools(offered)] : tools }
    },
  },
  'prompts/list': {
    eras: both,
    ttlMs: fiveMinutes,
    answer({ app }, { cursor }) {
      onePage(cursor)
      return listPrompts(app.table)
    },
  },
  'prompts/get': { eras: both, answer: ({ app }, params) => getPrompt(app.table, params) },
  'resources/list': {
    eras: both,
    ttlMs: fiveMinutes,
    answer(request, { cursor }) {
      onePage(cursor)
      return listResources(request)
    },
  },
  'resources/templates/list': {
    eras: both,
    ttlMs: fiveMinutes,
    answer(request, { cursor }) {
      onePage(cursor)
      return listResourceTemplates(request)
    },
  },
  'resources/read': { eras: both, ttlMs: 0, answer: readResource },
  'completion/complete': { eras: both, answer: complete },
  'tools/call': { eras: both, identifies: true, answer: callTool },
}
