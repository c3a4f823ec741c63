/** Secrets of time-based codes, and the codes (RFC 6238). Imported where it is used. */
import { Secret, TOTP } from 'otpauth'

export const periodMs = 30_000

/** @param label name of the account in the app */
export function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Footfall', label, secret: Secret.fromBase32(secret), digits: 6, period: periodMs / 1000 })
}

/** A new secret, base32. */
export const secretOf = (random: (size: number) => Buffer): string => new Secret({ buffer: new Uint8Array(random(20)).buffer }).base32
