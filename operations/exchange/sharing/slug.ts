/** The last part of a link: 24 letters and digits, 142 bits, which cannot be guessed. */
import { makeToken } from '../../../runtime/call/tokens.ts'

const length = 24

/** Drawn as tokens are: without a bias to the first letters. */
export const newSlug = (random: (size: number) => Buffer): string => makeToken(random, '').slice(0, length)

/** Rejects texts that cannot be a slug, which saves the query. */
export const isSlug = (text: string): boolean => text.length === length && /^[0-9A-Za-z]+$/.test(text)
