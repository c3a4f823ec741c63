/** A webhook's signing secret: generated here and stored sealed. After a rotation the old one stays valid for a day. */
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { WebhookRow } from '../../../storage/tables/index.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

export const rotationMs = 24 * HOUR_MS

export function makeSecret(random: (size: number) => Buffer): string {
  return `whsec_${random(32).toString('base64')}`
}

/** The secret to show; null if it can no longer be decrypted. */
export function secretOf(box: SecretBox, db: Db, { id, secret }: WebhookRow): Promise<string | null> {
  return box.unseal(db, secret, id)
}

/** The secrets that sign now, newest first. */
export async function signingSecrets(
  box: SecretBox,
  { db, webhook, now }: { db: Db; webhook: WebhookRow; now: number },
): Promise<string[]> {
  const { id, previous_secret, previous_until } = webhook
  const still = previous_secret !== null && previous_until !== null && previous_until > now
  const previous = still ? await box.unseal(db, previous_secret, id) : null
  return [await secretOf(box, db, webhook), previous].filter(secret => secret !== null)
}

/** The columns that replace a webhook's secret. */
export async function rotated(
  box: SecretBox,
  { db, webhook }: { db: Db; webhook: WebhookRow },
  { now, random }: { now: number; random(size: number): Buffer },
) {
  return {
    secret: await box.seal(db, makeSecret(random), webhook.id),
    previous_secret: webhook.secret,
    previous_until: now + rotationMs,
  }
}
