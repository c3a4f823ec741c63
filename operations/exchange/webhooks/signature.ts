/**
 * Signs deliveries in two formats: Stripe's, whose verifiers read `Service-Signature`, and Standard Webhooks
 * (standardwebhooks.com, "Signature scheme"). Both include the time, against replays.
 */
import { createHmac } from 'node:crypto'

export interface Signed {
  /** The event's id. */
  readonly id: string
  /** Time of this attempt, epoch ms. */
  readonly at: number
  readonly body: string
}

/** @param secrets all of them sign; a receiver needs to know only one */
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
