/** Converts a PUT (RFC 7644 §3.5.1) to operations of a PATCH. */
import type { GivenOperation } from './patch.ts'

/** Attributes that are cleared unless they are sent. Excludes `active` and `externalId`, which some identity providers never send. */
const cleared = ['name', 'displayName', 'emails']

export function replacing(user: Readonly<Record<string, unknown>>): GivenOperation[] {
  const given = new Set(Object.keys(user).map(name => name.toLowerCase()))
  return [
    ...cleared.map(path => ({ op: 'remove', path })),
    { op: 'replace', value: given.has('username') ? user : { ...user, userName: '' } },
  ]
}
