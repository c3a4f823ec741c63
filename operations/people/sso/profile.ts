/** Who an identity provider says that somebody is. */
import { Type } from '@sinclair/typebox'
import type { Static } from '../../../runtime/schema.ts'

export const Profile = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: 300 }),
    email: Type.String({ format: 'email' }),
    name: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
  },
  { additionalProperties: false },
)
export type Profile = Static<typeof Profile>

/** Somebody's name of what was sent of it; null where that is nothing. */
export function nameOf(whole: unknown, given: unknown, family: unknown): string | null {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  return (text(whole) || `${text(given)} ${text(family)}`.trim()).slice(0, 100) || null
}
