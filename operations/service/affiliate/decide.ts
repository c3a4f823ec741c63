/** The operator's decisions about affiliates, made by a command on the machine. */
import { auditCommand } from '../../../runtime/call/audit-command.ts'
import type { Db, Trx } from '../../../storage/store.ts'
import type { AffiliateRow } from '../../../storage/tables/affiliate.ts'
import { lockAffiliate } from './affiliate-rows.ts'

export const decisions = { approve: 'approved', reject: 'rejected', suspend: 'suspended' } as const
export type Decision = keyof typeof decisions

/** The states in which each decision is allowed. */
const from: Readonly<Record<Decision, readonly AffiliateRow['status'][]>> = {
  approve: ['pending', 'suspended'],
  reject: ['pending'],
  suspend: ['approved'],
}

export interface KnownAffiliate extends AffiliateRow {
  readonly email: string
}

export const affiliates = (db: Db) =>
  db
    .selectFrom('affiliates as f')
    .innerJoin('accounts as a', 'a.id', 'f.account_id')
    .selectAll('f')
    .select('a.email')
    .orderBy('f.applied_at')

/** By code or e-mail address. @throws Error if there is none */
export async function findAffiliate(db: Db, asked: string): Promise<KnownAffiliate> {
  const found = await affiliates(db)
    .where(({ or, eb }) => or([eb('f.code', '=', asked), eb('a.email', '=', asked.toLowerCase())]))
    .executeTakeFirst()
  if (!found) throw new Error(`There is no affiliate "${asked}"; "npm run affiliates" lists them`)
  return found
}

export interface Deciding {
  readonly accountId: string
  readonly decision: Decision
  readonly now: number
  random(size: number): Buffer
  /** The reason, which the applicant sees. */
  readonly reason: string | null
}

/** Records the decision in the audit log of each workspace of the person. @throws Error if the state does not allow it */
export async function decide(trx: Trx, { accountId, decision, now, random, reason }: Deciding): Promise<AffiliateRow> {
  const row = await lockAffiliate(trx, accountId)
  if (!row) throw new Error('The affiliate is gone')
  if (!from[decision].includes(row.status))
    throw new Error(`The application is ${row.status}: ${decision} requires ${from[decision].join(' or ')}`)
  const change = {
    status: decisions[decision],
    decided_at: now,
    approved_at: decision === 'approve' ? (row.approved_at ?? now) : row.approved_at,
    rejection_reason: decision === 'reject' ? reason : null,
  }
  await trx.updateTable('affiliates').set(change).where('account_id', '=', accountId).execute()
  const memberships = await trx.selectFrom('members').select('workspace_id').where('account_id', '=', accountId).execute()
  for (const { workspace_id: workspaceId } of memberships)
    await auditCommand(trx, {
      now,
      random,
      actor: 'affiliates',
      operation: `affiliates_${decision}`,
      workspaceId,
      subjectId: accountId,
      input: reason === null ? {} : { reason },
    })
  return { ...row, ...change }
}
