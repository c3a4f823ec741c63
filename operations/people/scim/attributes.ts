/** The user attributes that are stored. Others that an identity provider sends are accepted and ignored. */
import { Type } from '@sinclair/typebox'
import { record, type Static } from '../../../runtime/table/schema.ts'

/** An optional text. */
export const optionalText = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))

export const ScimName = record(
  'ScimName',
  {
    formatted: optionalText('Full name.'),
    familyName: optionalText('Family name.'),
    givenName: optionalText('Given name.'),
    middleName: optionalText('Middle name.'),
    honorificPrefix: optionalText('Title before the name, for example `Dr.`'),
    honorificSuffix: optionalText('Suffix after the name, for example `III`.'),
  },
  'A name in its components.',
)

export const ScimEmail = record(
  'ScimEmail',
  {
    value: Type.String({ maxLength: 254, description: 'E-mail address.' }),
    type: optionalText('Type of the address, for example `work`.'),
    primary: Type.Optional(Type.Boolean({ description: 'Whether this is the primary address.' })),
    display: optionalText('Display form of the address.'),
  },
  'An e-mail address.',
)

export const ScimAttributes = Type.Object({
  userName: Type.String({ format: 'email' }),
  externalId: optionalText("The member's identifier at the identity provider."),
  name: Type.Optional(ScimName),
  displayName: optionalText('Display name.'),
  emails: Type.Optional(Type.Array(ScimEmail, { maxItems: 20 })),
  active: Type.Boolean(),
})
export type ScimAttributes = Static<typeof ScimAttributes>

/** Names as the schema writes them, by their lower-case form: SCIM ignores case (RFC 7643 §2.1). */
const byKey = (names: readonly string[]): ReadonlyMap<string, string> => new Map(names.map(name => [name.toLowerCase(), name]))
export const attributeNames = byKey(Object.keys(ScimAttributes.properties))
export const subAttributeNames: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  name: byKey(Object.keys(ScimName.properties)),
  emails: byKey(Object.keys(ScimEmail.properties)),
}

/** Returns the name to show: the display name, or a name composed of its components. */
export function shownName({ displayName, name }: Pick<ScimAttributes, 'displayName' | 'name'>): string | null {
  const shown = displayName?.trim() || name?.formatted?.trim() || [name?.givenName, name?.familyName].filter(Boolean).join(' ').trim()
  return shown ? shown.slice(0, 100) : null
}

/** Returns the primary address, or the only one. */
export function primaryEmail({ emails = [], userName }: Pick<ScimAttributes, 'emails' | 'userName'>): string {
  return (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? userName
}
