import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { plain } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { Nullable, optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { scim } from './authenticator.ts'
import { conditionOf, maxFilterLength, parsedFilter } from './filter.ts'
import { maxUsers, scimWireFormat } from './wire-format.ts'
import { checked } from './checked.ts'
import { attributesOf, type ScimUser as User, ScimUser, ScimUserPart, ScimUsers, scim_user, toScimUser, urns, users } from './records.ts'
import { selectAttributes, selectionInput } from './selection.ts'
import { orderOf, sortInput } from './sorting.ts'
import { booleanOf, emailsOf, nameOf } from './values.ts'
import { changeUser, createUser, deleteUser, lockUser } from './write.ts'

/** Rules of an operation that identity providers call, on the path of RFC 7644. */
const asScim = { access: 'public', credential: scim, surfaces: ['http'], answers: plain, wireFormat: scimWireFormat } as const

const text = (description: string) => optional(Nullable(Type.String({ maxLength: 256 }), { description }))

/** Limits for a value of any type, far above the size of any attribute. */
const anything = { maxLength: 4_000, maxItems: 100, maxProperties: 100 }

export const scim_users_create = operation({
  route: 'POST /scim/v2/Users',
  summary: 'Provision a user',
  description:
    'Makes the user a member with the default role of the single sign-on configuration. ' +
    'An existing account with the address joins the workspace. Unknown attributes are ignored.',
  ...asScim,
  adds: ({ scim }) => ({ quota: 'members', workspaceId: scim.workspace_id }),
  effect: 'create',
  input: {
    userName: Type.String({ format: 'email', description: 'E-mail address; case-insensitive.' }),
    externalId: text("The member's identifier at the identity provider."),
    name: Type.Object(
      {},
      { additionalProperties: true, maxProperties: 20, default: {}, description: '`givenName`, `familyName`, `formatted`.' },
    ),
    displayName: text('Display name.'),
    emails: optional(
      Type.Array(Type.Object({}, { additionalProperties: true, maxProperties: 20 }), {
        maxItems: 20,
        description: 'E-mail addresses.',
      }),
    ),
    active: Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })], {
      default: true,
      description: 'Whether the membership is active; false suspends it.',
    }),
  },
  output: ScimUser,
  examples: [
    { input: { userName: 'ada@example.com', externalId: '00u1', name: { givenName: 'Ada', familyName: 'Lovelace' }, active: true } },
  ],
  async run({ scim, input, config, ...services }) {
    const active = booleanOf(input.active)
    if (active === undefined) failWith([{ pointer: '/active', code: 'invalid_type', message: 'active must be true or false.' }])
    const user = checked({
      userName: input.userName,
      externalId: input.externalId,
      name: nameOf(input.name),
      displayName: input.displayName,
      emails: (input.emails && emailsOf(input.emails)) ?? [{ value: input.userName, type: 'work', primary: true }],
      active,
    })
    return toScimUser(await createUser(services, scim.workspace_id, user), config)
  },
})

export const scim_users_list = operation({
  route: 'GET /scim/v2/Users',
  summary: 'List users',
  description: 'All members of the workspace, including suspended ones.',
  ...asScim,
  effect: 'read',
  input: {
    scim_filter: optional(
      Type.String({
        maxLength: maxFilterLength,
        description:
          'Filter by `id`, `userName`, `externalId`, `emails` or `active`, with eq, ne, co, sw, ew, pr, and, or, not. For example, `userName eq "ada@example.com"`.',
      }),
    ),
    ...sortInput,
    ...selectionInput,
    startIndex: Type.Integer({ default: 1, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: '1-based index of the first user.' }),
    count: Type.Integer({ unit: 'count', default: 100, minimum: 0, maximum: maxUsers, description: 'Maximum number of users to return.' }),
  },
  output: ScimUsers,
  examples: [{ input: {} }, { summary: 'One by the name', input: { scim_filter: 'userName eq "ada@example.com"' } }],
  async run({ db, scim, config, input: { scim_filter, startIndex, count, ...input } }) {
    const { by, isDescending } = orderOf(input)
    const filter = scim_filter?.trim() ? conditionOf(parsedFilter(scim_filter)) : undefined
    const of = users(db).where('m.workspace_id', '=', scim.workspace_id)
    const found = (filter ? of.where(filter) : of)
      .orderBy(by, order => (isDescending ? order.desc().nullsFirst() : order.asc().nullsLast()))
      .orderBy('m.id')
    const { rows, total } = await pageOf(found, { offset: startIndex - 1, limit: count })
    return {
      schemas: [urns.list],
      totalResults: total,
      startIndex,
      itemsPerPage: rows.length,
      Resources: rows.map(row => selectAttributes(toScimUser(row, config), input)),
    }
  },
})

export const scim_users_get = operation({
  route: 'GET /scim/v2/Users/{id}',
  summary: 'Get a user',
  ...asScim,
  on: scim_user,
  effect: 'read',
  input: selectionInput,
  output: ScimUserPart,
  examples: [{ input: { id: '{{scim_user}}' } }],
  run: async ({ scim_user, config, input }) => selectAttributes(toScimUser(scim_user, config), input),
})

export const scim_users_update = operation({
  route: 'PATCH /scim/v2/Users/{id}',
  summary: 'Change a user',
  description:
    'Applies the operations of a SCIM PatchOp, all or none. `active: false` suspends the membership and ends its sessions and tokens at once; ' +
    'for an owner, this returns 403. With `If-Match`, only that version is changed; otherwise, the call returns 412.',
  ...asScim,
  on: scim_user,
  effect: 'update',
  input: {
    Operations: Type.Array(
      Type.Object(
        {
          op: Type.String({ maxLength: 20, description: 'add, replace or remove; case-insensitive.' }),
          path: Type.Optional(
            Nullable(Type.String({ maxLength: 400 }), { description: 'Attribute path, for example `active` or `name.givenName`.' }),
          ),
          value: Type.Optional(
            Type.Unknown({
              ...anything,
              description: 'Value of the attribute. Without a path, an object of attributes.',
            }),
          ),
        },
        { additionalProperties: true, maxProperties: 20 },
      ),
      { minItems: 1, maxItems: 100, description: 'Changes, applied in this order.' },
    ),
  },
  output: ScimUser,
  examples: [
    { summary: 'Suspend', input: { id: '{{scim_user}}', Operations: [{ op: 'replace', path: 'active', value: false }] } },
    { summary: 'Without a path', input: { id: '{{scim_user}}', Operations: [{ op: 'replace', value: { name: { givenName: 'Ada' } } }] } },
  ],
  async run({ scim_user, config, input, request, ...services }) {
    const { patched } = await import('./patch.ts') // few installations need it
    const user = await lockUser(services.db, scim_user)
    refuseOutdated(toScimUser(user, config), request.header('if-match'))
    const changed = await changeUser(services, user, patched(attributesOf(user), input.Operations))
    return toScimUser(changed, config)
  },
})

export const scim_users_delete = operation({
  route: 'DELETE /scim/v2/Users/{id}',
  summary: 'Deprovision a user',
  done: 'SCIM user deleted.',
  description: 'Ends the membership; the account stays. For an owner, returns 403.',
  ...asScim,
  on: scim_user,
  effect: 'delete',
  input: {},
  output: Type.Object({}, { additionalProperties: false, description: 'An empty object.' }),
  examples: [{ input: { id: '{{scim_user}}' } }],
  async run({ scim_user, config, request, ...services }) {
    const user = await lockUser(services.db, scim_user)
    refuseOutdated(toScimUser(user, config), request.header('if-match'))
    await deleteUser(services, user)
    return {}
  },
})

/** RFC 7644 §3.14: a client with an older version must not overwrite a newer one. */
function refuseOutdated({ meta: { version } }: User, wanted: string | undefined): void {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  if (wanted === undefined || wanted.split(',').some(tag => tag.trim() === '*' || opaque(tag) === opaque(version))) return
  fail('precondition_failed', `The user has changed since it was read: its version is ${version}.`)
}
