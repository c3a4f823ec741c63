import { Type } from '@sinclair/typebox'
import type { Caller } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { isUniqueViolation } from '../../../storage/store.ts'
import { workspace } from '../workspaces/records.ts'
import { claimDomain, isOfAnother } from './claim.ts'
import { missingProof } from './proof.ts'
import { SsoDomain, sso_domain, toDomain } from './records.ts'
import { DNS_SERVERS } from './settings.ts'
import { changingTrust } from './trust-changes.ts'
import { lackOfTrust, type Trusting, trusting } from './trust.ts'
import { m } from './messages.ts'
import { storedSentence } from '../../../runtime/texts/message.ts'

const trusted = {
  access: 'workspace.manage',
  fresh: 'session',
  denies: ({ caller, workspace }: { readonly caller: Caller; readonly workspace: Trusting }) => lackOfTrust(caller, workspace),
} as const

export const sso_domains_list = list({
  route: 'GET /workspaces/{workspace_id}/sso/domains',
  summary: 'List e-mail domains',
  empty: {
    says: 'Prove that an e-mail domain is yours. Its people then sign in through your identity provider.',
    like: [['example.com', '✓']],
  },
  title: 'Sign-in domains',
  place: 'sign_on',
  description: 'Verified domains, and those that wait for their verification.',
  access: 'workspace.manage',
  on: workspace,
  effect: 'read',
  input: {},
  of: SsoDomain,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page }) {
    const all = db.selectFrom('sso_domains').selectAll().where('workspace_id', '=', workspace.id).orderBy('domain')
    const { rows, total } = await pageOf(all, page)
    return { rows: rows.map(toDomain), total }
  },
})

export const sso_domains_create = operation({
  route: 'POST /workspaces/{workspace_id}/sso/domains',
  summary: 'Claim an e-mail domain',
  description: 'The domain counts once its TXT record exists and `sso_domains_verify` has found it.',
  ...trusted,
  on: locked(trusting),
  effect: 'create',
  contacts: true,
  input: { domain: Type.String({ minLength: 1, maxLength: 255, description: 'Domain of the addresses: the part after the @.' }) },
  output: SsoDomain,
  examples: [{ input: { workspace_id: '{{workspace}}', domain: 'people.example.com' } }],
  run: async ({ workspace, input, ...claiming }) => toDomain(await claimDomain(claiming, workspace.id, input.domain)),
})

const verified = {
  succeeded: m.the_domain_is_verified,
  failed: m.the_domain_is_not_verified,
  pending: m.the_domain_is_not_verified_yet,
}

export const sso_domains_verify = operation({
  route: 'POST /workspaces/{workspace_id}/sso/domains/{id}/verify',
  summary: 'Check the TXT record of a domain',
  label: 'Verify',
  done: 'Domain checked.',
  description: 'Queries the name server. If the record is missing, `error` says what was found instead.',
  ...trusted,
  on: [locked(trusting), sso_domain],
  effect: 'update',
  contacts: true,
  rate: 'costly',
  offered: { status: ['pending'] },
  input: {},
  output: SsoDomain,
  outcome: ({ status, error }) => outcomeOf(error === null ? status : 'failed', verified, error),
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{sso_domain}}' } }],
  async prepare({ sso_domain: { domain, proof, verified_at }, config }) {
    return { missing: verified_at === null ? await missingProof(domain, proof, config.of(DNS_SERVERS)) : undefined }
  },
  async run({ sso_domain, missing, ...services }) {
    const { db, workspace, now } = services
    if (sso_domain.verified_at !== null) return toDomain(sso_domain)
    const taken = () => fail('already_exists', m.domain_of_another_workspace({ domain: sso_domain.domain }))
    if (missing === undefined && (await isOfAnother(db, workspace.id, sso_domain.domain))) taken()
    const seen = {
      checked_at: now,
      check_error: missing === undefined ? null : storedSentence(missing),
      verified_at: missing === undefined ? now : null,
    }
    // Two workspaces may verify it at the same time; the database accepts one of them.
    const update = () => db.updateTable('sso_domains').set(seen).where('id', '=', sso_domain.id).execute()
    await changingTrust(services, () =>
      update().catch(thrown => {
        if (isUniqueViolation(thrown)) taken()
        throw thrown
      }),
    )
    return toDomain({ ...sso_domain, ...seen })
  },
})

export const sso_domains_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/sso/domains/{id}',
  summary: 'Give up an e-mail domain',
  description: 'People with an address of the domain can no longer sign in with the identity provider.',
  ...trusted,
  on: [locked(trusting), sso_domain],
  effect: 'delete',
  contacts: true,
  input: {},
  output: SsoDomain,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{sso_domain}}' } }],
  async run({ sso_domain, ...services }) {
    const { db } = services
    await changingTrust(services, () => db.deleteFrom('sso_domains').where('id', '=', sso_domain.id).execute())
    return toDomain(sso_domain)
  },
})
