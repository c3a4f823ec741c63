/** A model server with the API of OpenAI, which answers by a script: real HTTP on the loopback. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withBody } from '../../support/with-body.ts'

export interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly messages: readonly { role: string; content: string | null; tool_call_id?: string; tool_calls?: unknown[] }[]
    readonly tools?: readonly { function: { name: string; parameters: { properties: Record<string, unknown> } } }[]
  }
}

/** The model's reaction to a request: the message of a reply, or a whole response. */
export type Turn =
  | { readonly content?: string | null; readonly tool_calls?: readonly unknown[]; readonly usage?: object }
  | { readonly status?: number; readonly raw: string }
  | 'hang'
  | 'reset'

export const toolCall = (name: string, input: unknown, id = 'call_1') => ({
  id,
  type: 'function',
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
})

/** Starts the server. Until `play`, each reply is `Nothing.`. */
export async function startModel() {
  const asked: Asked[] = []
  let script: (turn: number, asked: Asked) => Turn = () => ({ content: 'Nothing.' })
  const server = createServer(
    withBody((request, response, received) => {
      const one: Asked = { path: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(received.toString()) }
      asked.push(one)
      const turn = script(asked.length - 1, one)
      if (turn === 'hang') return
      if (turn === 'reset') return void request.socket.destroy()
      if ('raw' in turn) {
        response.writeHead(turn.status ?? 200, { 'Content-Type': 'application/json', Location: 'http://127.0.0.1:1/' }).end(turn.raw)
        return
      }
      const { usage = { prompt_tokens: 100, completion_tokens: 10 }, ...message } = turn
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: null, ...message } }], usage }))
    }),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    /** Begins a new script, which receives the number of each request, from 0. */
    play(next: typeof script) {
      asked.length = 0
      script = next
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
