/** Who an identity provider says that somebody is. */
import { Type } from '@sinclair/typebox'
import type { Static } from '../../../runtime/table/schema.ts'

/** How SAML names somebody and their session at the identity provider: what a LogoutRequest has to say again. */
export const NameId = Type.Object(
  {
    value: Type.String({ minLength: 1, maxLength: 300 }),
    format: Type.String({ maxLength: 300 }),
    nameQualifier: Type.Optional(Type.String({ maxLength: 1_000 })),
    spNameQualifier: Type.Optional(Type.String({ maxLength: 1_000 })),
    sessionIndex: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  { additionalProperties: false },
)
export type NameId = Static<typeof NameId>

export const Profile = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: 300 }),
    email: Type.String({ format: 'email' }),
    name: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    nameId: Type.Optional(NameId),
    /** Epoch ms: when the identity provider wants the session to end. */
    endsAt: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
)
export type Profile = Static<typeof Profile>

/** Somebody's name of what was sent of it; null where that is nothing. */
export function nameOf(whole: unknown, given: unknown, family: unknown): string | null {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  return (text(whole) || `${text(given)} ${text(family)}`.trim()).slice(0, 100) || null
}
