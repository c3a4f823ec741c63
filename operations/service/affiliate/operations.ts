import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { OneOf, optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { AffiliateRow } from '../../../storage/tables/affiliate.ts'
import { isOpen, waitingInBox } from '../../people/sign-up/records.ts'
import { boxEvents, embedding, prefillAttributes, SignupBox, themes } from './box.ts'
import { Affiliate, Commission, commissionStatuses, payoutMethods, referred, toAffiliate, toCommission } from './records.ts'
import { affiliateOf, lockAffiliate } from './affiliate-rows.ts'
import { demandProgram, hasProgram } from './terms.ts'
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Rejected applicants may apply again after this time. */
const waitMs = 30 * DAY_MS
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

export const affiliate_get = operation({
  route: 'GET /account/affiliate',
  summary: 'Get the own affiliate status and earnings',
  title: 'Affiliate program',
  access: 'account',
  ofPerson: true,
  effect: 'read',
  input: {},
  output: Affiliate,
  examples: [{ input: {} }],
  run: async ({ db, config, caller }) => toAffiliate(db, config, await affiliateOf(db, caller.member.accountId)),
})

export const affiliate_apply = operation({
  route: 'POST /account/affiliate',
  summary: 'Apply to be an affiliate',
  label: 'Apply',
  done: 'Application sent.',
  description: 'The operator decides. After a rejection, you may apply again after 30 days.',
  access: 'account',
  ofPerson: true,
  surfaces: ['http'],
  effect: 'create',
  offered: { status: ['none', 'rejected'] },
  input: {
    payout_method: OneOf(payoutMethods, { default: 'transfer', description: '`credit` on the account, or `transfer` to a bank.' }),
    website: optional(Type.String({ maxLength: 300, description: 'Website of the recommendation.' })),
    message: optional(Type.String({ maxLength: 2_000, description: 'Further information for the operator.' })),
  },
  output: Affiliate,
  examples: [{ input: { payout_method: 'transfer', website: 'https://blog.example.com' } }],
  async run({ db, config, caller, input, now, random }) {
    demandProgram(config)
    const { accountId } = caller.member
    const before = await lockAffiliate(db, accountId)
    if (before && before.status !== 'rejected') fail('invalid_state', m.application_is({ status: valueTerm(before.status) }))
    if (before?.decided_at && now < before.decided_at + waitMs) fail('invalid_state', m.apply_again_later())
    const row: AffiliateRow = {
      account_id: accountId,
      status: 'pending',
      code: before?.code ?? [...random(10)].map(byte => letters[byte % letters.length]).join(''),
      payout_method: input.payout_method,
      website: input.website || null,
      message: input.message || null,
      rejection_reason: null,
      applied_at: now,
      decided_at: null,
      approved_at: null,
    }
    const made = await db
      .insertInto('affiliates')
      .values(row)
      .onConflict(on => on.column('account_id').doUpdateSet(row).where('affiliates.status', '=', 'rejected'))
      .returning('account_id')
      .executeTakeFirst()
    if (!made) fail('invalid_state', m.application_pending())
    return toAffiliate(db, config, row)
  },
})

export const affiliate_update = operation({
  route: 'PATCH /account/affiliate',
  summary: 'Change how commissions are paid out',
  done: 'Payout changed.',
  access: 'account',
  ofPerson: true,
  surfaces: ['http'],
  locks: ({ db, caller }) => lockAffiliate(db, caller.member.accountId),
  effect: 'update',
  offered: { status: ['pending', 'approved', 'suspended'] },
  input: { payout_method: optional(OneOf(payoutMethods, { description: '`credit` on the account, or `transfer` to a bank.' })) },
  output: Affiliate,
  examples: [{ input: { payout_method: 'credit' } }],
  async run({ db, config, caller, input }) {
    demandProgram(config)
    const row = (await lockAffiliate(db, caller.member.accountId)) ?? fail('invalid_state', m.apply_first())
    const changed = { ...row, payout_method: input.payout_method ?? row.payout_method }
    await db.updateTable('affiliates').set({ payout_method: changed.payout_method }).where('account_id', '=', row.account_id).execute()
    return toAffiliate(db, config, changed)
  },
})

export const affiliate_commissions_list = list({
  route: 'GET /account/affiliate/commissions',
  summary: 'List the own affiliate commissions',
  title: 'Commissions',
  description: 'Newest first, with clawbacks and reversals.',
  access: 'account',
  ofPerson: true,
  effect: 'read',
  input: { status: optional(OneOf(commissionStatuses, { description: 'Only commissions in this state.' })) },
  of: Commission,
  examples: [{ input: {} }, { summary: 'Payable commissions', input: { status: 'approved' } }],
  async run({ db, caller, input, page }) {
    let all = db.selectFrom('affiliate_commissions').selectAll().where('affiliate_id', '=', caller.member.accountId)
    if (input.status) all = all.where('status', '=', input.status)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toCommission), total }
  },
})

export const affiliate_signup_box_get = operation({
  route: 'GET /account/affiliate/signup-box',
  summary: 'Get the code of the own affiliate signup box',
  title: 'Signup box',
  access: 'account',
  ofPerson: true,
  effect: 'read',
  input: { theme: OneOf(themes, { default: 'auto', description: 'Colours of the box.' }) },
  output: SignupBox,
  examples: [{ input: {} }, { summary: 'For a dark page', input: { theme: 'dark' } }],
  async run({ db, config, caller, input, now }) {
    const row = await affiliateOf(db, caller.member.accountId)
    const about = { theme: input.theme, prefill_attributes: prefillAttributes, events: boxEvents }
    const { signups, customers } = row ? await referred(db, row.account_id, 'box') : { signups: 0, customers: 0 }
    const counted = { waiting: row ? await waitingInBox(db, row.code, now) : 0, signups, customers }
    if (row?.status !== 'approved' || !hasProgram(config) || !isOpen(config)) {
      return { available: false, frame_url: null, script: null, iframe: null, ...about, ...counted }
    }
    return { available: true, ...embedding(config.BASE_URL, row.code, input.theme), ...about, ...counted }
  },
})
