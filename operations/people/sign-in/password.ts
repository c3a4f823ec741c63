/** Passwords: which ones will do, and how they are kept (OWASP Password Storage Cheat Sheet; NIST SP 800-63B §5.1.1.2). */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from '@sinclair/typebox'
import { fail, type Fault } from '../../../runtime/errors.ts'
import { commonPasswords } from './common-passwords.ts'

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
  description: 'At least 10 characters, and not one of those that many people have.',
})

/** @param about what is known of the person: a password that begins with their address is guessed first */
export function passwordFaults(password: string, about: readonly string[] = [], pointer = '/password'): Fault[] {
  const plain = password.normalize('NFKC').toLowerCase()
  // Counted as it is kept: an accent that is typed apart is no character, nor is half of an emoji (NIST SP 800-63B §5.1.1.2).
  if ([...plain].length < least) return [{ pointer, code: 'too_short', message: `It must have at least ${least} characters.` }]
  const known = about.flatMap(text => [text, text.split('@')[0] ?? '']).filter(text => text.length >= 4)
  const reason = commonPasswords.has(plain)
    ? 'Many people have this password: choose another.'
    : new Set(plain).size < 4 || isSequence(plain)
      ? 'This is too simple: choose another.'
      : known.some(text => plain.replace(text.toLowerCase(), '').length < 4)
        ? 'This is little more than your address: choose another.'
        : undefined
  return reason === undefined ? [] : [{ pointer, code: 'invalid_format', message: reason }]
}

/** `abcdefghij`, `9876543210`: each character follows the one before. */
function isSequence(text: string): boolean {
  const steps = new Set(Array.from(text.slice(1), (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i)))
  return steps.size === 1 && Math.abs([...steps][0] ?? 2) <= 1
}

/** Hashing takes a whole core: most of them are left to everybody else. */
const mostAtOnce = Math.max(1, Math.floor(availableParallelism() / 4))
/** Who comes when so many wait is told to come back. */
const mostWaiting = 200
const waiting: (() => void)[] = []
let running = 0

/** @throws Failure `unavailable` where too many wait already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= mostWaiting)
    fail('unavailable', 'Many people sign in right now; try again in 5 seconds.', [], { 'Retry-After': '5' })
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
