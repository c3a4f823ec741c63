/** The earnings of an affiliate by currency, and their latest payouts. */
import type { Static } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { money, shortInstant, type Viewer } from '../../../runtime/ui/format.ts'
import { type Key, say } from '../../../runtime/ui/languages/index.ts'
import type { Block } from './credit.ts'
import { Figures } from './figures.tsx'
import type { Affiliate } from './records.ts'

const blocked = {
  program: 'blocked_program',
  no_subscription: 'blocked_no_subscription',
  no_workspace: 'blocked_no_workspace',
} as const satisfies Record<Block, Key>

interface EarnedProps {
  readonly data: Static<typeof Affiliate>
  /** Path of the page with all commissions. */
  readonly commissions: string | undefined
  readonly viewer: Viewer
}

export function Earned({ data: { balances, payouts, credit_blocked }, commissions, viewer }: EarnedProps) {
  return (
    <section class="card" aria-labelledby="earned">
      <div class="between">
        <h2 id="earned">{say(viewer, 'earned')}</h2>
        {commissions !== undefined && <a href={commissions}>{say(viewer, 'commissions')}</a>}
      </div>
      {credit_blocked !== null && <p class="notice">{say(viewer, blocked[credit_blocked])}</p>}
      {balances.length === 0 && <p class="none">{say(viewer, 'nothing_yet')}</p>}
      {balances.map(({ currency, pending_cents, approved_cents, paid_cents }) => {
        const reader = { ...viewer, currency }
        return (
          <Figures
            label={currency}
            figures={[
              [say(viewer, 'pending_cents'), money(pending_cents, reader)],
              [say(viewer, 'approved_cents'), money(approved_cents, reader)],
              [say(viewer, 'paid_cents'), money(paid_cents, reader)],
            ]}
          />
        )
      })}
      {payouts.length > 0 && (
        <>
          <h3>{say(viewer, 'payouts')}</h3>
          <table>
            <tbody>
              {payouts.map(({ paid_at, applied_at, amount_cents, currency, payout_method, status }) => (
                <tr>
                  <th scope="row">{shortInstant(paid_at ?? applied_at ?? '', viewer)}</th>
                  <td class="number">{money(amount_cents, { ...viewer, currency })}</td>
                  <td>{say(viewer, payout_method === 'credit' ? 'as_credit' : 'as_transfer')}</td>
                  <td>
                    <Tag value={status} viewer={viewer} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
