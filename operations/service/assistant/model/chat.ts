/** `POST /chat/completions`, as in OpenAI-compatible servers (platform.openai.com/docs/api-reference/chat). */
import { isObject } from '../../../../runtime/values/json.ts'
import { parseJson } from '../../../../runtime/call/parse-json.ts'
import { guardedFetch, OutboundError } from '../../../../runtime/outbound/outbound.ts'
import { Failure } from '../../../../runtime/table/errors.ts'
import type { Model } from './model.ts'

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text, as the model wrote it. */
  readonly arguments: string
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly object[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface Reply {
  readonly content: string
  readonly calls: readonly ToolCall[]
  /** 0 if the server does not report them. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The reason for a missing answer of the model. It contains neither the key nor the server's text. */
export class NoAnswer extends Error {}

/** Bytes of one reply, and characters of what it says. */
const maxAnswerBytes = 1_048_576
const maxContent = 20_000
/** Calls of one reply that are looked at. */
const maxCalls = 16
const connectMs = 10_000
/** The address is the operator's own, from the environment: it may be private (docs/decisions.md §1). */
const anywhere = { allow: ['0.0.0.0/0', '::/0'] }

/**
 * @param timeoutMs for all of it
 * @throws NoAnswer
 */
export async function chat(
  model: Model,
  messages: readonly ChatMessage[],
  { tools, mayCall, timeoutMs }: { tools: readonly object[]; mayCall: boolean; timeoutMs: number },
): Promise<Reply> {
  const asked = { model: model.name, messages, stream: false, ...(mayCall ? { tools, tool_choice: 'auto' } : {}) }
  let body: unknown
  try {
    const answer = await guardedFetch(`${model.url}/chat/completions`, {
      ...anywhere,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'User-Agent': 'Footfall',
        ...(model.key !== '' && { Authorization: `Bearer ${model.key}` }),
      },
      body: JSON.stringify(asked),
      timeoutMs,
      connectMs: Math.min(connectMs, timeoutMs),
      maxBytes: maxAnswerBytes,
      redirects: 0,
    })
    if (answer.status !== 200) throw new NoAnswer(`it answered with status ${answer.status}`)
    if (answer.truncated) throw new NoAnswer(`its answer has more than ${maxAnswerBytes} bytes`)
    body = parseJson(answer.body.toString('utf8'))
  } catch (thrown) {
    if (thrown instanceof OutboundError) throw new NoAnswer(`it could not be reached: ${thrown.code}`)
    if (thrown instanceof SyntaxError || thrown instanceof Failure) throw new NoAnswer('its answer is not JSON')
    throw thrown
  }
  return replyIn(body)
}

function replyIn(body: unknown): Reply {
  const choice: unknown = isObject(body) && Array.isArray(body.choices) ? body.choices[0] : undefined
  const message = isObject(choice) && isObject(choice.message) ? choice.message : undefined
  if (!message) throw new NoAnswer('its answer has no message')
  const content = typeof message.content === 'string' ? message.content.replace(/<think>[\s\S]*?<\/think>/g, '').trim() : ''
  const calls = (Array.isArray(message.tool_calls) ? message.tool_calls : []).slice(0, maxCalls).flatMap(callIn)
  if (content === '' && calls.length === 0) throw new NoAnswer('its answer is empty')
  if (content.length > maxContent) throw new NoAnswer(`its answer has more than ${maxContent} characters`)
  const usage = isObject(body) && isObject(body.usage) ? body.usage : {}
  return { content, calls, inputTokens: tokens(usage.prompt_tokens), outputTokens: tokens(usage.completion_tokens) }
}

const tokens = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 30 ? value : 0

function callIn(call: unknown, i: number): ToolCall[] {
  if (!isObject(call) || !isObject(call.function) || typeof call.function.name !== 'string') return []
  const { name, arguments: given } = call.function
  // Some servers answer the arguments as an object, and calls without ids.
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
  const id = typeof call.id === 'string' && call.id !== '' && call.id.length <= 200 ? call.id : `call_${i}`
  return [{ id, name: String(name).slice(0, 100), arguments: text.slice(0, 50_000) }]
}
