/** The latest invoices on the page of the subscription. */
import type { Static } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { money, shortInstant, type Viewer } from '../../../runtime/ui/format.ts'
import type { Invoice } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface InvoicesProps {
  readonly invoices: readonly Static<typeof Invoice>[]
  /** Path of the page with all invoices. */
  readonly all: string | undefined
  readonly viewer: Viewer
}

export function Invoices({ invoices, all, viewer }: InvoicesProps) {
  if (invoices.length === 0) return null
  return (
    <section class="card" aria-labelledby="invoices">
      <div class="between">
        <h2 id="invoices">{say(viewer, m.invoices)}</h2>
        {all !== undefined && <a href={all}>{say(viewer, m.all_invoices)}</a>}
      </div>
      <section class="scroll" tabindex={0} aria-label={say(viewer, m.invoices)}>
        <table>
          <tbody>
            {invoices.map(({ id, number, status, currency, total_cents, reversed_cents, created_at, url, pdf_url }) => {
              const reader = { ...viewer, currency }
              return (
                <tr>
                  <th scope="row">{url === null ? number : <a href={url}>{number ?? id}</a>}</th>
                  <td>{shortInstant(created_at, viewer)}</td>
                  <td class="number">{money(total_cents, reader)}</td>
                  <td>
                    <Tag value={status} viewer={viewer} />
                    {reversed_cents > 0 && (
                      <span class="help"> {say(viewer, m.given_back, { amount: money(reversed_cents, reader) })}</span>
                    )}
                  </td>
                  <td>{pdf_url !== null && <a href={pdf_url}>PDF</a>}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </section>
  )
}
