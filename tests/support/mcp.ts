/** One tool call by a minimal client: JSON-RPC in one POST. */
import type { TestService } from './world.ts'

export interface ToolReply {
  /** HTTP status of the transport. */
  status: number
  isError: boolean
  /** `{ data, meta }` or `{ error }`. */
  body: any // any, so that tests can read any field
  /** A protocol error, if there is one. */
  fault: { code: number; message: string } | undefined
}

export async function callTool(
  { web }: TestService,
  name: string,
  args: unknown,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<ToolReply> {
  const response = await web.request('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const reply = JSON.parse(await response.text())
  return {
    status: response.status,
    isError: reply.result?.isError === true,
    body: reply.result?.structuredContent ?? reply,
    fault: reply.result ? undefined : reply.error,
  }
}
