/** PUT (RFC 7644 §3.5.1) as operations of PATCH. */
import type { GivenOperation } from './patch.ts'

/** Cleared if they are not sent; not `active` and `externalId`, which some identity providers never send. */
const cleared = ['name', 'displayName', 'emails']

export function replacing(user: Readonly<Record<string, unknown>>): GivenOperation[] {
  const given = new Set(Object.keys(user).map(name => name.toLowerCase()))
  return [
    ...cleared.map(path => ({ op: 'remove', path })),
    { op: 'replace', value: given.has('username') ? user : { ...user, userName: '' } },
  ]
}
