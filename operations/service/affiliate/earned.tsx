/** The earnings of an affiliate by currency, and their latest payouts. */
import type { Static } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { money, shortInstant, type Viewer } from '../../../runtime/ui/format.ts'
import type { Block } from './credit.ts'
import { Figures } from './figures.tsx'
import type { Affiliate } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

const blocked = {
  program: m.blocked_program,
  no_subscription: m.blocked_no_subscription,
  no_workspace: m.blocked_no_workspace,
} as const satisfies Record<Block, unknown>

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
        <h2 id="earned">{say(viewer, m.earned)}</h2>
        {commissions !== undefined && <a href={commissions}>{say(viewer, m.commissions)}</a>}
      </div>
      {credit_blocked !== null && <p class="notice">{say(viewer, blocked[credit_blocked])}</p>}
      {balances.length === 0 && <p class="none">{say(viewer, ui.nothing_yet)}</p>}
      {balances.map(({ currency, pending_cents, approved_cents, paid_cents }) => {
        const reader = { ...viewer, currency }
        return (
          <Figures
            label={currency}
            figures={[
              [say(viewer, m.pending_cents), money(pending_cents, reader)],
              [say(viewer, m.approved_cents), money(approved_cents, reader)],
              [say(viewer, m.paid_cents), money(paid_cents, reader)],
            ]}
          />
        )
      })}
      {payouts.length > 0 && (
        <>
          <h3>{say(viewer, m.payouts)}</h3>
          <table>
            <tbody>
              {payouts.map(({ paid_at, applied_at, amount_cents, currency, payout_method, status }) => (
                <tr>
                  <th scope="row">{shortInstant(paid_at ?? applied_at ?? '', viewer)}</th>
                  <td class="number">{money(amount_cents, { ...viewer, currency })}</td>
                  <td>{say(viewer, payout_method === 'credit' ? m.as_credit : m.as_transfer)}</td>
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
