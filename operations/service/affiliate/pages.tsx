import { Tag } from '../../../runtime/ui/cell.tsx'
import { Code } from '../../../runtime/ui/copy.tsx'
import { money, plainNumber, shortInstant } from '../../../runtime/ui/format.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { listView, view } from '../../../runtime/ui/view.ts'
import { affiliateLink } from '../billing/records.ts'
import { SignupBox } from './box.ts'
import { Earned } from './earned.tsx'
import { Figures } from './figures.tsx'
import { affiliate_apply, affiliate_commissions_list, affiliate_get, affiliate_signup_box_get } from './operations.ts'
import { Affiliate, Commission } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** An affiliate: the terms, the referral link, the sign-ups that it led to, and the earnings. */
export const affiliate = view(Affiliate, ({ data, page }) => {
  const { viewer } = page
  const { percent, months, hold_days } = data.terms
  if (percent === 0) return <p class="card">{say(viewer, m.no_program)}</p>
  const hasApplied = data.status !== 'none'
  const box = page.pathOf(affiliate_signup_box_get)
  const apply = page.offered(affiliate_apply)
  return {
    ...(apply && { brings: [apply] }),
    content: (
      <>
        <section class="card" aria-labelledby="affiliate">
          <div class="between">
            <h2 id="affiliate">{say(viewer, ui.affiliate_earns, { percent })}</h2>
            <Tag value={data.status} viewer={viewer} />
          </div>
          <p>{say(viewer, m.affiliate_terms, { months, days: hold_days })}</p>
          {data.rejection_reason !== null && <p class="notice">{data.rejection_reason}</p>}
          {data.status === 'pending' && <p class="notice">{say(viewer, m.affiliate_pending)}</p>}
          {data.referral_url !== null && (
            <>
              <p>{say(viewer, m.affiliate_link)}</p>
              <Code content={data.referral_url} reader={viewer} />
            </>
          )}
          {apply && (
            <p>
              <a class="button" href={`?do=${apply.id}`}>
                {say(viewer, m.affiliate_apply)}
              </a>
            </p>
          )}
          {hasApplied && (
            <Figures
              figures={[
                [say(viewer, m.signups), plainNumber(data.signups, viewer)],
                [say(viewer, m.customers), plainNumber(data.customers, viewer)],
              ]}
            />
          )}
          {data.status === 'approved' && box !== undefined && <a href={box}>{say(viewer, m.signup_box)}</a>}
        </section>
        {hasApplied && <Earned data={data} commissions={page.pathOf(affiliate_commissions_list)} viewer={viewer} />}
      </>
    ),
  }
})

/** Commissions as a table, each with the payment that it is a share of. */
export const commissions = listView(Commission, ({ rows, page: { viewer } }) =>
  rows.length === 0 ? undefined : (
    <section class="card scroll" tabindex={0} aria-label={say(viewer, m.commissions)}>
      <table class="list">
        <tbody>
          {rows.map(({ earned_at, kind, status, currency, amount_cents, basis_cents }) => {
            const reader = { ...viewer, currency }
            return (
              <tr>
                <th scope="row">{shortInstant(earned_at, viewer)}</th>
                <td>
                  <Tag value={kind} viewer={viewer} />
                </td>
                <td class="number">{money(amount_cents, reader)}</td>
                <td class="help">{say(viewer, m.of_amount, { amount: money(basis_cents, reader) })}</td>
                <td>
                  <Tag value={status} viewer={viewer} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  ),
)

/** The sign-up box: the code to copy, its attributes and events, and the sign-ups that it led to. */
export const signupBox = view(
  SignupBox,
  ({ data, page: { viewer } }) =>
    data.available ? (
      <>
        <section class="card">
          <h2>{say(viewer, m.box_script)}</h2>
          <Code content={data.script ?? ''} reader={viewer} />
          <Meanings names={data.prefill_attributes.map(({ name, description }) => [name, description])} />
          <Meanings names={data.events.map(({ name, detail }) => [name, detail])} />
          <h2>{say(viewer, m.box_iframe)}</h2>
          <Code content={data.iframe ?? ''} reader={viewer} />
        </section>
        <Figures
          figures={[
            [say(viewer, m.box_waiting), plainNumber(data.waiting, viewer)],
            [say(viewer, m.signups), plainNumber(data.signups, viewer)],
            [say(viewer, m.customers), plainNumber(data.customers, viewer)],
          ]}
        />
      </>
    ) : (
      <p class="card">{say(viewer, m.box_unavailable)}</p>
    ),
  { hasOptions: true },
)

const Meanings = ({ names }: { names: readonly (readonly [name: string, meaning: string])[] }) => (
  <dl>
    {names.map(([name, meaning]) => (
      <>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{meaning}</dd>
      </>
    ))}
  </dl>
)

/** On the page of the subscription: a link to this program, if there is one. */
export const linkFromBilling = fill(affiliateLink, async ({ page }) => {
  const percent = (await page.ask(affiliate_get))?.terms.percent ?? 0
  if (percent === 0) return undefined
  return (
    <p>
      <a href={page.pathOf(affiliate_get)}>{say(page.viewer, ui.affiliate_earns, { percent })}</a>
    </p>
  )
})
