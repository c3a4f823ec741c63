/** A site moves to another workspace: by a person who manages both, or by a code that one workspace creates and another enters. */
import { Type } from '@sinclair/typebox'
import { auditCommand } from '../../../runtime/call/audit-command.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { isWellFormed, makeToken } from '../../../runtime/call/tokens.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { bounds, callerIn, workspacesOf } from '../../../runtime/table/caller.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { effectivePermissions, type Permission } from '../../../runtime/table/permissions.ts'
import { DateTime, help, Id, iso, Nullable, optional, record, type Static } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { type Db, isTransaction } from '../../../storage/store.ts'
import type { SiteOfferRow } from '../../../storage/tables/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { addGroupOfAll } from './add.ts'
import { site_moved } from './events.ts'
import { site_transferred } from './hooks.ts'
import { m } from './messages.ts'
import { type LiveSite, Site, site, toSite } from './records.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

const codePrefix = 'stc_'
const goodMs = 24 * HOUR_MS

const keeps =
  'Keeps its history, goals, alerts and checks. Notification channels stay in the old workspace, so its alerts notify no channel until you choose others.'
/** The permissions on the site and its history, which an offer gives away. */
const offering: readonly Permission[] = ['sites.manage', 'analytics.read', 'analytics.export']

/** @param by the operation of the code, for programs */
const takesOver = (by = '') =>
  `A workspace that enters the code within 24 hours${by} takes the site over, with its whole history. The code works once, replaces the one before, and ends with the rights of the member who created it. Goals, segments, notes, alerts and checks move along; groups, dashboards, channels, webhooks, shared links, e-mail reports and warehouse syncs stay or end.`

export const sites_transfer = operation({
  route: 'POST /sites/{site_id}/transfer',
  summary: 'Move a site to another workspace',
  done: 'Site moved.',
  description: `${keeps} Requires a person who may manage sites in both workspaces, because an API token belongs to one: \`sites_transfer_offer\` needs no such person.`,
  help: `${keeps} You need the permission to manage sites in both workspaces.`,
  access: 'session',
  fresh: true,
  needs: ['sites.manage'],
  adds: ({ site, caller, input: { workspace_id: to } }) =>
    to === site.workspace_id || !workspacesOf(caller).includes(to) ? undefined : { quota: 'sites', workspaceId: to },
  on: locked(site),
  effect: 'update',
  input: { workspace_id: Id({ description: 'The new workspace.' }) },
  output: Site,
  examples: [{ input: { site_id: '{{site}}', workspace_id: '{{workspace}}' } }],
  async run({ db, site, caller, input, now, emit }) {
    const to = input.workspace_id
    if (!workspacesOf(caller).includes(to)) {
      failWith([{ pointer: '/workspace_id', code: 'not_found', message: m.no_workspace() }])
    }
    if (!callerIn(caller, to).permissions.has('sites.manage'))
      fail('permission_denied', m.no_permission_there({ permission: valueTerm('sites.manage') }))
    return to === site.workspace_id ? toSite(site) : move(db, { site, to, now, emit })
  },
})

const TransferOffer = record(
  'TransferOffer',
  {
    site_id: Type.String({ description: 'The offered site.' }),
    for_workspace: Nullable(Type.String(), { description: 'The only workspace that may accept; null: any with the code.' }),
    code: Nullable(Type.String(), {
      description: 'The secret for `sites_transfer_accept`, only in the response that creates it; null otherwise.',
    }),
    created_at: DateTime({ description: 'When the site was offered.' }),
    expires_at: DateTime({ description: 'When the code expires, after 24 hours.' }),
  },
  'The offer of a site to another workspace.',
)

export const sites_transfer_offer = operation({
  route: 'POST /sites/{site_id}/transfer/offer',
  summary: 'Offer a site to another workspace: create a code',
  label: 'Offer to another workspace',
  done: 'Code created.',
  description: takesOver(' (`sites_transfer_accept`)'),
  help: takesOver(),
  access: 'sites.manage',
  needs: ['analytics.read', 'analytics.export'],
  fresh: 'session',
  denies: ({ caller }) => bounds(caller),
  on: locked(site),
  effect: 'update',
  discards: true,
  input: {
    for_workspace: optional(
      Type.String({
        maxLength: 100,
        minLength: 1,
        description: 'Id of the only workspace that may accept, for example of another company. Without it, any workspace may.',
        [help]: 'Id of the only workspace that may accept (`ws_…`). Empty: any workspace.',
      }),
    ),
  },
  output: TransferOffer,
  secrets: ['code'],
  examples: [
    { input: { site_id: '{{site}}' } },
    { summary: 'To one workspace', input: { site_id: '{{site}}', for_workspace: '{{workspace}}' } },
  ],
  async run({ db, site, caller, input, now, random }) {
    const code = makeToken(random, codePrefix)
    const row: SiteOfferRow = {
      site_id: site.id,
      hash: hashCredential(code),
      for_workspace: input.for_workspace ?? null,
      member_id: caller.member.memberId,
      token_id: caller.provedAt === undefined ? caller.credentialId : null,
      created_at: now,
      expires_at: now + goodMs,
    }
    const { site_id: _, ...changed } = row
    await db
      .insertInto('site_offers')
      .values(row)
      .onConflict(conflict => conflict.column('site_id').doUpdateSet(changed))
      .execute()
    return toOffer(row, code)
  },
})

export const sites_transfer_withdraw = operation({
  route: 'DELETE /sites/{site_id}/transfer/offer',
  summary: 'Withdraw the offer of a site: its code stops working',
  label: 'Withdraw the offer',
  done: 'Offer withdrawn.',
  description: 'Has no effect if the site is not offered.',
  help: 'The code of an offer no longer moves the site to another workspace. Changes nothing if the site is not offered.',
  access: 'sites.manage',
  on: locked(site),
  effect: 'delete',
  input: {},
  output: Site,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site }) {
    await db.deleteFrom('site_offers').where('site_id', '=', site.id).execute()
    return toSite(site)
  },
})

export const sites_transfer_accept = operation({
  route: 'POST /workspaces/{workspace_id}/sites/accept',
  summary: 'Take over a site of another workspace by its code',
  label: 'Take over a site',
  done: 'The site belongs to this workspace.',
  description:
    'Takes the code of `sites_transfer_offer`. The site moves at once with its history, goals, segments, notes, alerts and checks, and counts towards the ' +
    'sites of this workspace. Choose channels for its alerts. A code that is unknown, used, expired, withdrawn or meant for another workspace is ' +
    'answered in the same way.',
  help:
    'The site moves at once with its history, goals, segments, notes, alerts and checks, and counts towards the sites of this workspace. ' +
    'Its alerts have no channels until you choose some.',
  access: 'sites.manage',
  reach: 'workspace',
  on: locked(workspace),
  locks: ({ db, input: { code } }) => lockOffered(db, code),
  adds: 'sites',
  effect: 'update',
  input: { code: Type.String({ minLength: 1, maxLength: 100, description: 'The code that the other workspace created.' }) },
  output: Site,
  secrets: ['code'],
  examples: [{ input: { workspace_id: '{{workspace}}', code: 'stc_000000000000000000000000000000000000' } }],
  async run({ db, workspace, input: { code }, now, random, emit, request }) {
    const unknown = (): never => {
      failWith([{ pointer: '/code', code: 'not_found', message: m.unknown_code() }])
      fail('validation_failed') // never reached: there is a fault
    }
    const offer = await offerOf(db, code)
    const isMeant = offer && offer.expires_at > now && (offer.for_workspace ?? workspace.id) === workspace.id
    const offered = isMeant && (await mayOffer(db, offer)) ? await site.lock?.(db, offer.site_id) : undefined
    if (!offered) return unknown()
    if (offered.workspace_id === workspace.id) fail('invalid_state', m.is_here_already())
    const { numDeletedRows } = await db
      .deleteFrom('site_offers')
      .where('hash', '=', offer?.hash ?? '')
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return unknown() // used or replaced meanwhile
    const from = offered.workspace_id
    const moved = await move(db, { site: offered, to: workspace.id, now, emit })
    // The workspace that had the site learns which workspace took it, and nothing of the person who did.
    if (isTransaction(db)) {
      await auditCommand(db, {
        now,
        random,
        actor: workspace.name,
        operation: 'sites_transfer_accept',
        workspaceId: from,
        siteId: moved.id,
        subjectId: moved.id,
        via: { surface: request.surface, door: 'transfer_code' },
        input: { workspace_id: workspace.id },
      })
    }
    return moved
  },
})

async function offerOf(db: Db, code: string): Promise<SiteOfferRow | undefined> {
  if (!isWellFormed(code, codePrefix)) return undefined
  return db.selectFrom('site_offers').selectAll().where('hash', '=', hashCredential(code)).executeTakeFirst()
}

/** Whether the member who created the code still has the rights for it, and the token that they used. */
async function mayOffer(db: Db, { member_id, token_id }: Pick<SiteOfferRow, 'member_id' | 'token_id'>): Promise<boolean> {
  const member = await db.selectFrom('members').select('role').where('id', '=', member_id).where('active', '=', 1).executeTakeFirst()
  if (!member) return false
  const token =
    token_id === null
      ? { permissions: JSON.stringify(offering), site_ids: '[]' }
      : await db
          .selectFrom('api_tokens')
          .select(['permissions', 'site_ids'])
          .where('id', '=', token_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
  if (!token) return false
  const held = effectivePermissions(JSON.parse(token.permissions), member.role, JSON.parse(token.site_ids))
  return offering.every(permission => held.has(permission))
}

/** The site is locked before the workspace, as by `sites_transfer`, so that none waits for another in a circle. */
async function lockOffered(db: Db, code: string): Promise<void> {
  const offer = await offerOf(db, code)
  if (offer) await site.lock?.(db, offer.site_id)
}

interface Move {
  readonly site: LiveSite
  readonly to: string
  readonly now: number
  readonly emit: Emit
}

async function move(db: Db, { site: before, to, now, emit }: Move): Promise<Static<typeof Site>> {
  await db.updateTable('sites').set({ workspace_id: to }).where('id', '=', before.id).execute()
  await db.deleteFrom('site_offers').where('site_id', '=', before.id).execute()
  await addGroupOfAll(db, to, now)
  await emit(site_transferred, { site: before, to })
  const data = toSite({ ...before, workspace_id: to })
  for (const workspaceId of [before.workspace_id, to]) await emit(site_moved, { workspaceId, siteId: before.id, data })
  return data
}

const toOffer = (row: SiteOfferRow, code: string): Static<typeof TransferOffer> => ({
  site_id: row.site_id,
  for_workspace: row.for_workspace,
  code,
  created_at: iso(row.created_at),
  expires_at: iso(row.expires_at),
})
