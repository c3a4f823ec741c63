/** Passwords: which ones will do, and how they are kept (OWASP Password Storage Cheat Sheet; NIST SP 800-63B-4 §3.1.1.2). */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from '@sinclair/typebox'
import { fail, type Fault } from '../../../runtime/table/errors.ts'
import type { Guess } from './guessable.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

/** Argon2id, 19 MiB, two passes: about 30 ms of one core. It is the package's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Long enough for a sentence; short enough that hashing one is no burden. */
const longest = 200
export const least = 10

/** A password that somebody types to sign in: of any length that one was ever allowed. */
export const typedPassword = Type.String({ minLength: 1, maxLength: longest, description: 'The password.' })
/** One that somebody chooses; `passwordFaults` says what else is wrong with it. */
export const newPassword = Type.String({
  minLength: least,
  maxLength: longest,
  description: 'At least 10 characters, and neither a password that many people have nor little more than a name.',
})

const reasons: Readonly<Record<Guess, Message>> = {
  common: m.password_common(),
  simple: m.password_simple(),
  named: m.password_named(),
}

/** @param names that others know: `namesAbout` collects them */
export async function passwordFaults(password: string, names: readonly string[] = [], pointer = '/password'): Promise<Fault[]> {
  const kept = password.normalize('NFKC')
  // Counted as it is kept: an accent that is typed apart is no character, nor is half of an emoji (NIST SP 800-63B-4 §3.1.1.2).
  if ([...kept].length < least) return [{ pointer, code: 'too_short', message: m.password_too_short({ least }) }]
  const { guessed } = await import('./guessable.ts') // its list is large, and most processes see no new password for a long time
  const guess = guessed(kept, names)
  return guess === undefined ? [] : [{ pointer, code: 'invalid_format', message: reasons[guess] }]
}

/** Hashing takes a whole core: most of them are left to everybody else. */
const mostAtOnce = Math.max(1, Math.floor(availableParallelism() / 4))
/** Who comes when so many wait is told to come back. */
const mostWaiting = 200
const waiting: (() => void)[] = []
let running = 0

/** @throws Failure `unavailable` where too many wait already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= mostWaiting) fail('unavailable', m.many_sign_in(), { headers: { 'Retry-After': '5' } })
  if (running >= mostAtOnce) await new Promise<void>(resolve => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** The same text in one form, however it was composed on the keyboard (RFC 8265 §4). */
const bytesOf = (password: string): string => password.normalize('NFKC')

/** Off the main thread. @returns the hash in the PHC form */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(bytesOf(password), cost))

let standIn: Promise<string> | undefined
/** Off the main thread. Takes as long where there is nothing to compare with: that is true of nobody. */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  standIn ??= hashPassword('nobody has this one')
  const compared = hashed ?? (await standIn)
  return (await inTurn(() => verify(compared, bytesOf(password)))) && hashed !== undefined
}
