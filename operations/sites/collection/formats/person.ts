/** Reads who sent a hit, as the site identifies them. */
import { isObject } from '../../../../runtime/values/json.ts'
import type { SentHit } from '../hit.ts'
import { text } from './text.ts'

/** Longer ids are not shortened, because two of them could become one. */
const MAX_ID_LENGTH = 300

const REFUSED: readonly unknown[] = [false, 0, 'false', '0', 'denied']

/** @param sent `user`, `traits` and `consent`, as they came; a missing consent is left to the site */
export function personOf({ user, traits, consent }: { user: unknown; traits: unknown; consent: unknown }): SentHit['user'] {
  if (user === undefined || user === null || user === '') return null
  if (REFUSED.includes(consent)) return 'no_consent'
  const id = typeof user === 'number' && Number.isSafeInteger(user) ? String(user) : typeof user === 'string' ? user : ''
  const stored = id.length > MAX_ID_LENGTH ? '' : text(id)
  return stored === '' ? 'invalid_user' : { id: stored, traits: isObject(traits) ? traits : {} }
}
