import { task } from '../../../runtime/table/task.ts'
import { lockAffiliate } from './affiliate-rows.ts'
import { HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

export const commissions_approve = task({
  name: 'commissions_approve',
  summary: 'Makes commissions of affiliates payable after their holding period',
  every: HOUR_MS,
  lease: 5 * MINUTE_MS,
  async run({ store, now, signal }) {
    const due = await store.read
      .selectFrom('affiliate_commissions')
      .select('affiliate_id')
      .distinct()
      .where('status', '=', 'pending')
      .where('due_at', '<=', now())
      .execute()
    for (const { affiliate_id } of due) {
      if (signal.aborted) return
      await store.transaction(async trx => {
        // Commissions of a suspended affiliate become payable only after a new approval.
        const affiliate = await lockAffiliate(trx, affiliate_id)
        if (affiliate?.status !== 'approved') return
        const at = now()
        await trx
          .updateTable('affiliate_commissions')
          .set({ status: 'approved', approved_at: at })
          .where('affiliate_id', '=', affiliate_id)
          .where('status', '=', 'pending')
          .where('due_at', '<=', at)
          .execute()
      })
    }
  },
})
