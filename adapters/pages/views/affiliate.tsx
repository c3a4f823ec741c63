/** An affiliate: the link, whom it led here, and what that earned. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { money, plainNumber, shortInstant, type Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { list, number, type Row, record, text } from './read.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { View } from './view.ts'

export const affiliate: View = {
  async show({ data, viewer, pathOf, does }) {
    const terms = record(data.terms)
    if (number(terms.percent) === 0) return { content: <p class="card">{say(viewer, 'no_program')}</p> }
    const isIn = data.status !== 'none'
    const [commissions, box] = [pathOf('[AffiliateCommission]'), pathOf('AffiliateSignupBox')]
    const apply = does.find(({ method }) => method === 'POST')
    return {
      ...(apply && { brings: [apply] }),
      content: (
        <>
          <section class="card" aria-labelledby="affiliate">
            <div class="between">
              <h2 id="affiliate">{say(viewer, 'affiliate_earns', { percent: number(terms.percent) })}</h2>
              <Tag value={data.status} viewer={viewer} />
            </div>
            <p>{say(viewer, 'affiliate_terms', { months: number(terms.months), days: number(terms.hold_days) })}</p>
            {text(data.rejection_reason) !== '' && <p class="notice">{text(data.rejection_reason)}</p>}
            {data.status === 'pending' && <p class="notice">{say(viewer, 'affiliate_pending')}</p>}
            {text(data.referral_url) !== '' && (
              <>
                <p>{say(viewer, 'affiliate_link')}</p>
                <Code content={text(data.referral_url)} reader={viewer} />
              </>
            )}
            {apply && (
              <p>
                <a class="button" href={`?do=${apply.id}`}>
                  {say(viewer, 'affiliate_apply')}
                </a>
              </p>
            )}
            {isIn && (
              <ul class="headline">
                {(['signups', 'customers'] as const).map(name => (
                  <li>
                    <span class="still">
                      <span class="name">{say(viewer, name)}</span>
                      <span class="figure">{plainNumber(number(data[name]), viewer)}</span>
                    </span>
                  </li>
                ))}
              </ul>
            )}
            {data.status === 'approved' && box !== undefined && <a href={box}>{say(viewer, 'signup_box')}</a>}
          </section>
          {isIn && <Earned data={data} viewer={viewer} commissions={commissions} />}
        </>
      ),
    }
  },
}

function Earned({ data, viewer, commissions }: { data: Row; viewer: Viewer; commissions: string | undefined }) {
  const [balances, payouts] = [list(data.balances), list(data.payouts)]
  const blocked = { program: 'blocked_program', no_subscription: 'blocked_no_subscription', no_workspace: 'blocked_no_workspace' } as const
  const why = Object.entries(blocked).find(([name]) => name === data.credit_blocked)?.[1]
  return (
    <section class="card" aria-labelledby="earned">
      <div class="between">
        <h2 id="earned">{say(viewer, 'earned')}</h2>
        {commissions !== undefined && <a href={commissions}>{say(viewer, 'commissions')}</a>}
      </div>
      {why && <p class="notice">{say(viewer, why)}</p>}
      {balances.length === 0 && <p class="none">{say(viewer, 'nothing_yet')}</p>}
      {balances.map(balance => {
        const of = { ...viewer, currency: text(balance.currency) }
        return (
          <ul class="headline" aria-label={text(balance.currency)}>
            {(['pending_cents', 'approved_cents', 'paid_cents'] as const).map(name => (
              <li>
                <span class="still">
                  <span class="name">{say(viewer, name)}</span>
                  <span class="figure">{money(number(balance[name]), of)}</span>
                </span>
              </li>
            ))}
          </ul>
        )
      })}
      {payouts.length > 0 && (
        <>
          <h3>{say(viewer, 'payouts')}</h3>
          <table>
            <tbody>
              {payouts.map(payout => (
                <tr>
                  <th scope="row">{shortInstant(text(payout.paid_at) || text(payout.applied_at), viewer)}</th>
                  <td class="number">{money(number(payout.amount_cents), { ...viewer, currency: text(payout.currency) })}</td>
                  <td>{say(viewer, payout.payout_method === 'credit' ? 'as_credit' : 'as_transfer')}</td>
                  <td>
                    <Tag value={payout.status} viewer={viewer} />
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

export const commissions: View = {
  async show({ data, viewer }) {
    const rows = list(data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <section class="card scroll" tabindex={0} aria-label={say(viewer, 'commissions')}>
          <table class="list">
            <tbody>
              {rows.map(row => {
                const of = { ...viewer, currency: text(row.currency) }
                return (
                  <tr>
                    <th scope="row">{shortInstant(text(row.earned_at), viewer)}</th>
                    <td>
                      <Tag value={row.kind} viewer={viewer} />
                    </td>
                    <td class="number">{money(number(row.amount_cents), of)}</td>
                    <td class="help">{say(viewer, 'of_amount', { amount: money(number(row.basis_cents), of) })}</td>
                    <td>
                      <Tag value={row.status} viewer={viewer} />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
      ),
    }
  },
}

export const signupBox: View = {
  hasOptions: true,
  async show({ data, viewer }) {
    if (data.available !== true) return { content: <p class="card">{say(viewer, 'box_unavailable')}</p> }
    const named = (value: unknown, other: string) => (
      <dl>
        {list(value).map(row => (
          <>
            <dt>
              <code>{text(row.name)}</code>
            </dt>
            <dd>{text(row[other])}</dd>
          </>
        ))}
      </dl>
    )
    return {
      content: (
        <>
          <section class="card">
            <h2>{say(viewer, 'box_script')}</h2>
            <Code content={text(data.script)} reader={viewer} />
            {named(data.prefill_attributes, 'description')}
            {named(data.events, 'detail')}
            <h2>{say(viewer, 'box_iframe')}</h2>
            <Code content={text(data.iframe)} reader={viewer} />
          </section>
          <ul class="headline">
            {(['box_waiting', 'signups', 'customers'] as const).map(name => (
              <li>
                <span class="still">
                  <span class="name">{say(viewer, name)}</span>
                  <span class="figure">{plainNumber(number(data[name.replace('box_', '')]), viewer)}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      ),
    }
  },
}
