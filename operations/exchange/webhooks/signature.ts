/**
 * Who sent it and that it is whole, said twice: in the manner of Stripe, whose verifier reads `Service-Signature`, and
 * as Standard Webhooks has it (standardwebhooks.com, "Signature scheme"). Both bind the time, so that an old request
 * cannot be sent again.
 */
import { createHmac } from 'node:crypto'

export interface Signed {
  /** The event's id. */
  readonly id: string
  /** Of this attempt, epoch ms. */
  readonly at: number
  readonly body: string
}

/** @param secrets all of them sign: a receiver that knows one is content */
export function signatureHeaders(secrets: readonly string[], { id, at, body }: Signed): Record<string, string> {
  const seconds = Math.floor(at / 1_000)
  const hex = secrets.map(secret => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  const keys = secrets.map(secret => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
  const base64 = keys.map(key => createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64'))
  return {
    'Service-Signature': [`t=${seconds}`, ...hex.map(each => `v1=${each}`)].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': base64.map(each => `v1,${each}`).join(' '),
  }
}
