/** One delivery attempt: a POST, and its result. Whatever the endpoint does, it ends within 15 seconds. */
import { bodyText } from '../../../runtime/values/clip.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { endpointGuard, guardedFetch, type Guard, outboundError, targetUrl } from '../../../runtime/outbound/outbound.ts'
import { type Message, valueTerm } from '../../../runtime/texts/message.ts'
import type { Outcome } from './health.ts'
import { m } from './messages.ts'
import { type Failed, retryAfterMs } from './schedule.ts'
import { type Signed, signatureHeaders } from './signature.ts'

/** Longest time that an attempt takes. */
export const ATTEMPT_MS = 15_000
/** How long an attempt may take, and its connection, ms. */
interface Times {
  readonly timeoutMs: number
  readonly connectMs: number
}
const times: Times = { timeoutMs: ATTEMPT_MS, connectMs: 5_000 }
const limits = { maxBytes: 65_536, redirects: 0 } as const
const keptCharacters = 2_000
const fixed = { 'Content-Type': 'application/json', 'User-Agent': 'Footfall-Webhooks' } as const

export interface Attempt extends Failed {
  readonly outcome: Outcome
  readonly statusCode: number | null
  /** Null if there was an answer. */
  readonly error: Message | null
  readonly responseBody: string | null
  readonly durationMs: number
}

const unsigned = m.secret_unreadable({ code: valueTerm('secret_unreadable') })

interface AttemptInput {
  readonly url: string
  readonly secrets: readonly string[]
  readonly signed: Signed
  readonly config: Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>
  readonly more?: Partial<Guard & Times> | undefined
}

/**
 * Never throws. Only 2xx succeeds; redirects are not followed.
 * @param secrets if empty, nothing is sent, because it could not be signed
 * @param more lets tests reach their servers, however busy the machine is
 */
export async function attempt({ url, secrets, signed, config, more = {} }: AttemptInput): Promise<Attempt> {
  if (secrets.length === 0) return failedWith(unsigned, 0)
  const began = performance.now()
  const headers = { ...fixed, ...signatureHeaders(secrets, signed) }
  try {
    const guard = endpointGuard(targetUrl(url), config)
    const answer = await guardedFetch(url, { ...guard, ...times, ...more, ...limits, method: 'POST', headers, body: signed.body })
    const { status } = answer
    return {
      outcome: status >= 200 && status < 300 ? 'succeeded' : status === 410 ? 'gone' : 'failed',
      statusCode: status,
      error: null,
      responseBody: bodyText(answer.body, keptCharacters),
      durationMs: answer.ms,
      overloaded: status === 429,
      retryAfter: retryAfterMs(answer.headers['retry-after'], signed.at),
    }
  } catch (thrown) {
    const { code, sentence } = outboundError(thrown)
    return { ...failedWith(sentence, Math.round(performance.now() - began)), overloaded: code === 'timeout' }
  }
}

function failedWith(error: Message, durationMs: number): Attempt {
  const none = { statusCode: null, responseBody: null, retryAfter: undefined }
  return { ...none, outcome: 'failed', error, durationMs, overloaded: false }
}
