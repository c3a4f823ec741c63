/** The attributes of a user that are kept; all others that an identity provider sends are let pass and forgotten. */
import { Type } from '@sinclair/typebox'
import { record, type Static } from '../../../runtime/table/schema.ts'

/** A text that may be left out. */
export const optionalText = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))

export const ScimName = record(
  'ScimName',
  {
    formatted: optionalText('The whole name.'),
    familyName: optionalText('Family name.'),
    givenName: optionalText('Given name.'),
    middleName: optionalText('Middle name.'),
    honorificPrefix: optionalText('Such as `Dr.`'),
    honorificSuffix: optionalText('Such as `III`.'),
  },
  'A name in its parts.',
)

export const ScimEmail = record(
  'ScimEmail',
  {
    value: Type.String({ maxLength: 254, description: 'The address.' }),
    type: optionalText('Such as `work`.'),
    primary: Type.Optional(Type.Boolean({ description: 'Whether it is the first choice.' })),
    display: optionalText('How it is shown.'),
  },
  'An e-mail address.',
)

export const ScimAttributes = Type.Object({
  userName: Type.String({ format: 'email' }),
  externalId: optionalText("The member's identifier at the identity provider."),
  name: Type.Optional(ScimName),
  displayName: optionalText('How they are shown.'),
  emails: Type.Optional(Type.Array(ScimEmail, { maxItems: 20 })),
  active: Type.Boolean(),
})
export type ScimAttributes = Static<typeof ScimAttributes>

/** Names as the schema writes them, by their small letters: SCIM does not tell cases apart (RFC 7643 §2.1). */
const byKey = (names: readonly string[]): ReadonlyMap<string, string> => new Map(names.map(name => [name.toLowerCase(), name]))
export const attributeNames = byKey(Object.keys(ScimAttributes.properties))
export const subAttributeNames: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  name: byKey(Object.keys(ScimName.properties)),
  emails: byKey(Object.keys(ScimEmail.properties)),
}

/** The name to show for somebody: what was said to be shown, or the parts of the name. */
export function shownName({ displayName, name }: Pick<ScimAttributes, 'displayName' | 'name'>): string | null {
  const shown = displayName?.trim() || name?.formatted?.trim() || [name?.givenName, name?.familyName].filter(Boolean).join(' ').trim()
  return shown ? shown.slice(0, 100) : null
}

/** The address that stands first: the primary one, or the one there is. */
export function primaryEmail({ emails = [], userName }: Pick<ScimAttributes, 'emails' | 'userName'>): string {
  return (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? userName
}
