/** Maps a workspace member to a SCIM User (RFC 7643 §4.1). */
import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { DateTime, iso, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import { shownEmail, shownName as memberName } from '../members/records.ts'
import { optionalText, type ScimAttributes, ScimEmail, ScimName } from './attributes.ts'

export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const

export const ScimUser = record(
  'ScimUser',
  {
    schemas: Type.Array(Type.String(), { description: 'The schema of a User.' }),
    id: Type.String({ description: 'Id of the member, prefix `mem_`.' }),
    externalId: Type.Optional(Type.String({ description: "The member's identifier at the identity provider." })),
    userName: Type.String({ description: 'E-mail address, as the identity provider wrote it.' }),
    name: Type.Optional(ScimName),
    displayName: optionalText('Display name.'),
    emails: Type.Array(ScimEmail, { description: 'E-mail addresses.' }),
    active: Type.Boolean({ description: 'False while the membership is suspended.' }),
    meta: record(
      'ScimMeta',
      {
        resourceType: Type.String({ description: '`User`.' }),
        created: DateTime({ description: 'When the user became a member.' }),
        lastModified: DateTime({ description: 'When the identity provider last changed the user.' }),
        location: Type.String({ description: 'URL of this user.' }),
        version: Type.String({ description: 'Entity tag. Send it as `If-Match` to avoid overwriting a newer version.' }),
      },
      'Metadata of the record.',
    ),
  },
  'A workspace member as a SCIM 2.0 user.',
)
export type ScimUser = Static<typeof ScimUser>

const { id, schemas, emails, meta, ...others } = ScimUser.properties
const partOf = { additionalProperties: false }
/** A user with only the requested attributes. */
export const ScimUserPart = record(
  'ScimUserPart',
  {
    schemas,
    id,
    ...Type.Partial(
      Type.Object({
        ...others,
        emails: Type.Array(Type.Partial(Type.Object(ScimEmail.properties), partOf), { description: emails.description ?? '' }),
        meta: Type.Partial(Type.Object(meta.properties), { ...partOf, description: meta.description ?? '' }),
      }),
    ).properties,
  },
  'A workspace member, limited to the requested attributes.',
)

export const ScimUsers = record(
  'ScimUsers',
  {
    schemas: Type.Array(Type.String(), { description: 'The schema of a list.' }),
    totalResults: Type.Integer({ unit: 'count', description: 'Number of users that match the filter.' }),
    startIndex: Type.Integer({ description: '1-based index of the first user of this page.' }),
    itemsPerPage: Type.Integer({ unit: 'count', description: 'Number of users in this response.' }),
    Resources: Type.Array(ScimUserPart, { description: 'Users, in the requested order.' }),
  },
  'A page of users.',
)

/** Members of all workspaces, with the values of their account and of their identity provider. */
export function users(db: Db) {
  return db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .leftJoin('scim_users as s', 's.member_id', 'm.id')
    .selectAll('m')
    .select([shownEmail.as('email'), memberName.as('name'), 's.user_name', 's.external_id', 's.attributes', 's.updated_at'])
}
export type UserRow = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>

export const scim_user = subject<'scim_user', UserRow>({
  name: 'scim_user',
  async find(db, id) {
    const row = await users(db).where('m.id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

/** The current values that the identity provider may change; for a member whom it does not know, the values of the account. */
export function attributesOf(row: UserRow): ScimAttributes {
  const kept: Pick<ScimAttributes, 'name' | 'displayName' | 'emails'> =
    row.attributes === null
      ? {
          ...(row.name !== null && { name: { formatted: row.name }, displayName: row.name }),
          emails: [{ value: row.email, type: 'work', primary: true }],
        }
      : JSON.parse(row.attributes) // written by write.ts
  return {
    userName: row.user_name ?? row.email,
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...kept,
    active: row.active === 1,
  }
}

export function toScimUser(row: UserRow, { BASE_URL }: Pick<Config, 'BASE_URL'>): ScimUser {
  const { userName, externalId, name, displayName, emails = [], active } = attributesOf(row)
  const user = {
    schemas: [urns.user],
    id: row.id,
    ...(externalId !== undefined && { externalId }),
    userName,
    ...(name && { name }),
    ...(displayName !== undefined && { displayName }),
    emails,
    active,
  }
  const meta = {
    resourceType: 'User',
    created: iso(row.created_at),
    lastModified: iso(row.updated_at ?? row.created_at),
    location: `${BASE_URL}/scim/v2/Users/${row.id}`,
  }
  return { ...user, meta: { ...meta, version: versionOf(user) } }
}

/** Weak (RFC 7644 §3.14): two responses with the same version are equivalent. */
function versionOf(user: object): string {
  return `W/"${createHash('sha256').update(JSON.stringify(user)).digest('base64url').slice(0, 22)}"`
}
