/** The profile of a person, as the identity provider sends it. */
import { Type } from '@sinclair/typebox'
import type { Static } from '../../../runtime/table/schema.ts'

/** A person and their session in SAML terms, which a LogoutRequest must repeat. */
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
    /** When the identity provider wants the session to end, epoch ms. */
    endsAt: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
)
export type Profile = Static<typeof Profile>

/** Composes the name of a person from the sent values; null if they are empty. */
export function nameOf(whole: unknown, given: unknown, family: unknown): string | null {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  return (text(whole) || `${text(given)} ${text(family)}`.trim()).slice(0, 100) || null
}
