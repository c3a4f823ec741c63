/** A webhook's signing secret: made here, kept sealed, and two at a time for a day after it was replaced. */
import type { SecretBox } from '../../../runtime/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { WebhookRow } from '../../../storage/tables/index.ts'

export const rotationMs = 24 * 3_600_000

export function makeSecret(random: (size: number) => Buffer): string {
  return `whsec_${random(32).toString('base64')}`
}

/** The secret that is shown; null where it cannot be read any more. */
export function secretOf(box: SecretBox, db: Db, { id, secret }: WebhookRow): Promise<string | null> {
  return box.unseal(db, secret, id)
}

/** Those that sign now, the newest first. */
export async function signingSecrets(box: SecretBox, db: Db, webhook: WebhookRow, now: number): Promise<string[]> {
  const { id, previous_secret, previous_until } = webhook
  const still = previous_secret !== null && previous_until !== null && previous_until > now
  const previous = still ? await box.unseal(db, previous_secret, id) : null
  return [await secretOf(box, db, webhook), previous].filter(secret => secret !== null)
}

/** The columns of a webhook whose secret is replaced. */
export async function rotated(box: SecretBox, db: Db, webhook: WebhookRow, { now, random }: { now: number; random(size: number): Buffer }) {
  return {
    secret: await box.seal(db, makeSecret(random), webhook.id),
    previous_secret: webhook.secret,
    previous_until: now + rotationMs,
  }
}
