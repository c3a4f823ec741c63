/** Passwords: their rules and their hashes (OWASP Password Storage Cheat Sheet; NIST SP 800-63B-4 §3.1.1.2). */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from '@sinclair/typebox'
import { fail, type Fault } from '../../../runtime/table/errors.ts'
import type { Guess } from './guessable.ts'
import { m } from './messages.ts'
import { cost } from './password-cost.ts'
import type { Message } from '../../../runtime/texts/message.ts'

/** Long enough for a sentence, and short enough to hash quickly. */
const MAX_PASSWORD_LENGTH = 200
export const MIN_PASSWORD_LENGTH = 10

/** A password that is entered to sign in, of any length that was ever allowed. */
export const typedPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, description: 'The password.' })
/** A new password. `passwordFaults` checks its other rules. */
export const newPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
  description: 'At least 10 characters. Not a common password, and not little more than a name.',
})

const reasons: Readonly<Record<Guess, Message>> = {
  common: m.password_common(),
  simple: m.password_simple(),
  named: m.password_named(),
}

/** @param names names that others know, from `namesAbout` */
export async function passwordFaults(password: string, names: readonly string[] = [], pointer = '/password'): Promise<Fault[]> {
  const kept = password.normalize('NFKC')
  // Counts the stored form: a combining accent is not a character, nor is half of an emoji (NIST SP 800-63B-4 §3.1.1.2).
  if ([...kept].length < MIN_PASSWORD_LENGTH)
    return [{ pointer, code: 'too_short', message: m.password_too_short({ least: MIN_PASSWORD_LENGTH }) }]
  const { guessed } = await import('./guessable.ts') // its list is large, and most processes see no new password for a long time
  const guess = guessed(kept, names)
  return guess === undefined ? [] : [{ pointer, code: 'invalid_format', message: reasons[guess] }]
}

/** Hashing uses a whole core, so most cores stay free for other requests. */
const maxAtOnce = Math.max(1, Math.floor(availableParallelism() / 4))
/** With this number of waiting requests, further ones are refused. */
const maxWaiting = 200
const waiting: (() => void)[] = []
let running = 0

/** @throws Failure `unavailable` if too many wait already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= maxWaiting) fail('unavailable', m.many_sign_in(), { headers: { 'Retry-After': '5' } })
  if (running >= maxAtOnce) await new Promise<void>(resolve => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Normalizes the password, however it was composed on the keyboard (RFC 8265 §4). */
const bytesOf = (password: string): string => password.normalize('NFKC')

/** Off the main thread. @returns the hash in the PHC form */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(bytesOf(password), cost))

let standIn: Promise<string> | undefined
/** Off the main thread. Takes the same time without a hash, and then returns false. */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  standIn ??= hashPassword('stand-in for a missing password')
  const compared = hashed ?? (await standIn)
  return (await inTurn(() => verify(compared, bytesOf(password)))) && hashed !== undefined
}
