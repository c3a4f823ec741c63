import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { plain } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { Nullable, optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { scim } from './authenticator.ts'
import { conditionOf, longestFilter, parsedFilter } from './filter.ts'
import { mostUsers, scimWireFormat } from './wire-format.ts'
import { checked, patched } from './patch.ts'
import { attributesOf, type ScimUser as User, ScimUser, ScimUserPart, ScimUsers, scim_user, toScimUser, urns, users } from './records.ts'
import { selected, selectionInput } from './selection.ts'
import { orderOf, sortInput } from './sorting.ts'
import { booleanOf, emailsOf, nameOf } from './values.ts'
import { changeUser, createUser, deleteUser, lockUser } from './write.ts'

/** Called by identity providers, on its own path as RFC 7644 says. */
const asScim = { access: 'public', credential: scim, surfaces: ['http'], answers: plain, wireFormat: scimWireFormat } as const

const text = (description: string) => optional(Nullable(Type.String({ maxLength: 256 }), { description }))

/** A value of any type, of a size that no attribute comes near. */
const anything = { maxLength: 4_000, maxItems: 100, maxProperties: 100 }

export const scim_users_create = operation({
  route: 'POST /scim/v2/Users',
  summary: 'Provision a user',
  description:
    'They become a member with the default role of the single sign-on configuration. ' +
    'An account that has the address already joins the workspace; attributes that are not kept here are ignored.',
  ...asScim,
  adds: ({ scim }) => ({ quota: 'members', workspaceId: scim.workspace_id }),
  effect: 'create',
  input: {
    userName: Type.String({ format: 'email', description: 'E-mail address; upper and lower case are the same.' }),
    externalId: text("The member's identifier at the identity provider."),
    name: Type.Object(
      {},
      { additionalProperties: true, maxProperties: 20, default: {}, description: '`givenName`, `familyName`, `formatted`.' },
    ),
    displayName: text('How they are shown.'),
    emails: optional(
      Type.Array(Type.Object({}, { additionalProperties: true, maxProperties: 20 }), {
        maxItems: 20,
        description: 'E-mail addresses.',
      }),
    ),
    active: Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })], {
      default: true,
      description: 'Member of the workspace; false: suspended.',
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
  description: 'All members of the workspace, suspended ones too.',
  ...asScim,
  effect: 'read',
  input: {
    scim_filter: optional(
      Type.String({
        maxLength: longestFilter,
        description:
          'By `id`, `userName`, `externalId`, `emails`, `active`; with eq, ne, co, sw, ew, pr, and, or, not: `userName eq "ada@example.com"`.',
      }),
    ),
    ...sortInput,
    ...selectionInput,
    startIndex: Type.Integer({ default: 1, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Place of the first user, from 1.' }),
    count: Type.Integer({ unit: 'count', default: 100, minimum: 0, maximum: mostUsers, description: 'Most users to answer.' }),
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
      Resources: rows.map(row => selected(toScimUser(row, config), input)),
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
  run: async ({ scim_user, config, input }) => selected(toScimUser(scim_user, config), input),
})

export const scim_users_update = operation({
  route: 'PATCH /scim/v2/Users/{id}',
  summary: 'Change a user',
  description:
    'Operations of SCIM PatchOp, all or none of them. `active: false` suspends the membership and ends its sessions and tokens at once; ' +
    'an owner is refused (403). With `If-Match` only the version that it names is changed (412).',
  ...asScim,
  on: scim_user,
  effect: 'update',
  input: {
    Operations: Type.Array(
      Type.Object(
        {
          op: Type.String({ maxLength: 20, description: 'add, replace or remove, in any case.' }),
          path: Type.Optional(Nullable(Type.String({ maxLength: 400 }), { description: 'Attribute: `active`, `name.givenName`.' })),
          value: Type.Optional(
            Type.Unknown({
              ...anything,
              description: 'Its value; without a path, an object of attributes.',
            }),
          ),
        },
        { additionalProperties: true, maxProperties: 20 },
      ),
      { minItems: 1, maxItems: 100, description: 'What to change, in this order.' },
    ),
  },
  output: ScimUser,
  examples: [
    { summary: 'Suspend', input: { id: '{{scim_user}}', Operations: [{ op: 'replace', path: 'active', value: false }] } },
    { summary: 'Without a path', input: { id: '{{scim_user}}', Operations: [{ op: 'replace', value: { name: { givenName: 'Ada' } } }] } },
  ],
  async run({ scim_user, config, input, request, ...services }) {
    const user = await lockUser(services.db, scim_user)
    refuseOutdated(toScimUser(user, config), request.header('if-match'))
    const changed = await changeUser(services, user, patched(attributesOf(user), input.Operations))
    return toScimUser(changed, config)
  },
})

export const scim_users_delete = operation({
  route: 'DELETE /scim/v2/Users/{id}',
  summary: 'Deprovision a user',
  description: 'Ends the membership; the account stays. An owner is refused (403).',
  ...asScim,
  on: scim_user,
  effect: 'delete',
  input: {},
  output: Type.Object({}, { additionalProperties: false, description: 'Nothing.' }),
  examples: [{ input: { id: '{{scim_user}}' } }],
  async run({ scim_user, config, request, ...services }) {
    const user = await lockUser(services.db, scim_user)
    refuseOutdated(toScimUser(user, config), request.header('if-match'))
    await deleteUser(services, user)
    return {}
  },
})

/** RFC 7644 §3.14: whoever read an older version does not overwrite the newer one. */
function refuseOutdated({ meta: { version } }: User, wanted: string | undefined): void {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  if (wanted === undefined || wanted.split(',').some(tag => tag.trim() === '*' || opaque(tag) === opaque(version))) return
  fail('precondition_failed', `The user has changed since it was read: its version is ${version}.`)
}
