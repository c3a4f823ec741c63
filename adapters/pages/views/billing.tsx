/** The subscription of a workspace: what it has, the plans it could have, and its invoices. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant, money, shortInstant, type Viewer } from '../../../runtime/ui/format.ts'
import { isKey, say } from '../../../runtime/ui/languages/index.ts'
import { Refused } from './plan.tsx'
import { list, number, type Row, record, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const billing: View = {
  async show(seen) {
    const { data, viewer, url } = seen
    if (data.provider !== 'stripe') return { content: <p class="card">{say(viewer, 'nothing_sold')}</p> }
    const [plans, invoices] = [list((await seen.ask('[Plan]', {}))?.rows), list((await seen.ask('[Invoice]', { per_page: 12 }))?.rows)]
    const subscribes = seen.does.find(({ input }) => Object.hasOwn(input.properties, 'plan'))
    const program = record((await seen.ask('Affiliate', {}))?.terms)
    const own = plans.find(({ id }) => id === data.plan)
    return {
      ...(subscribes && { brings: [subscribes] }),
      content: (
        <>
          <Refused seen={seen} />
          <section class="card" aria-labelledby="subscription">
            <div class="between">
              <h2 id="subscription">{own === undefined ? text(data.plan) : text(own.name)}</h2>
              {data.status !== 'none' && <Tag value={data.status} viewer={viewer} />}
            </div>
            <p>{price(data, viewer)}</p>
            <Dates data={data} viewer={viewer} />
          </section>
          <section aria-labelledby="plans">
            <h2 id="plans">{say(viewer, 'plans')}</h2>
            <ul class="tiles">
              {plans.map(plan => (
                <li class="card">
                  <h3>{text(plan.name)}</h3>
                  <p>
                    <b>{price(plan, viewer)}</b>
                  </p>
                  {text(plan.description) !== '' && <p>{text(plan.description)}</p>}
                  <Limits limits={record(plan.limits)} viewer={viewer} />
                  {plan.id === data.plan ? (
                    <p class="help">{say(viewer, 'plan_now')}</p>
                  ) : (
                    typeof plan.amount_cents === 'number' &&
                    subscribes && (
                      <form method="post" action={`${url.pathname}/checkout`}>
                        <input type="hidden" name="/plan" value={text(plan.id)} />
                        <button type="submit">
                          {say(viewer, 'choose_plan')} <span class="unseen">{text(plan.name)}</span>
                        </button>
                      </form>
                    )
                  )}
                </li>
              ))}
            </ul>
          </section>
          <Invoices rows={invoices} seen={seen} />
          {number(program.percent) > 0 && (
            <p>
              <a href={seen.pathOf('Affiliate')}>{say(viewer, 'affiliate_earns', { percent: number(program.percent) })}</a>
            </p>
          )}
        </>
      ),
    }
  },
}

function price({ amount_cents, currency, interval }: Row, viewer: Viewer): string {
  if (typeof amount_cents !== 'number' || typeof currency !== 'string') return say(viewer, 'costs_nothing')
  const each = `each_${text(interval)}`
  const amount = money(amount_cents, { ...viewer, currency })
  return isKey(each) ? say(viewer, each, { amount }) : amount
}

const dates = [
  ['cancels_at', 'ends_on'],
  ['trial_ends_at', 'trial_until'],
  ['unpaid_since', 'unpaid_from'],
  ['period_ends_at', 'renews_on'],
] as const

function Dates({ data, viewer }: { data: Row; viewer: Viewer }) {
  const told = dates.filter(([field]) => text(data[field]) !== '' && !(field === 'period_ends_at' && text(data.cancels_at) !== ''))
  return (
    <>
      {data.status !== 'none' &&
        data.status !== 'canceled' &&
        told.map(([field, key]) => <p class="help">{say(viewer, key, { when: instant(text(data[field]), viewer) })}</p>)}
    </>
  )
}

function Limits({ limits, viewer }: { limits: Row; viewer: Viewer }) {
  const some = Object.entries(limits).filter(([, value]) => typeof value === 'number')
  return (
    <ul class="limits">
      {some.map(([name, value]) => {
        const key = `limit_${name}`
        return isKey(key) ? <li>{say(viewer, key, { count: number(value).toLocaleString(viewer.locale) })}</li> : null
      })}
      {some.length === 0 && <li>{say(viewer, 'no_limits')}</li>}
    </ul>
  )
}

function Invoices({ rows, seen: { viewer, pathOf } }: { rows: readonly Row[]; seen: Seen }) {
  if (rows.length === 0) return null
  const all = pathOf('[Invoice]')
  return (
    <section class="card" aria-labelledby="invoices">
      <div class="between">
        <h2 id="invoices">{say(viewer, 'invoices')}</h2>
        {all !== undefined && <a href={all}>{say(viewer, 'all_invoices')}</a>}
      </div>
      <section class="scroll" tabindex={0} aria-label={say(viewer, 'invoices')}>
        <table>
          <tbody>
            {rows.map(row => {
              const of = { ...viewer, currency: text(row.currency) }
              return (
                <tr>
                  <th scope="row">
                    {text(row.url) === '' ? text(row.number) : <a href={text(row.url)}>{text(row.number) || text(row.id)}</a>}
                  </th>
                  <td>{shortInstant(text(row.created_at), viewer)}</td>
                  <td class="number">{money(number(row.total_cents), of)}</td>
                  <td>
                    <Tag value={row.status} viewer={viewer} />
                    {number(row.reversed_cents) > 0 && (
                      <span class="help"> {say(viewer, 'given_back', { amount: money(number(row.reversed_cents), of) })}</span>
                    )}
                  </td>
                  <td>{text(row.pdf_url) !== '' && <a href={text(row.pdf_url)}>PDF</a>}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </section>
  )
}
