/** A table with a row per record: its name, and figures about it. On a narrow screen each row becomes a card. */
import type { Child } from 'hono/jsx'
import { UNKNOWN } from './format.ts'

/** The heading of a column: a string above figures, `{ text }` above texts. */
export type FigureColumn = string | { readonly text: string }

export interface FigureRow {
  readonly head: Child
  /** As many as there are columns. */
  readonly cells: readonly Child[]
}

export interface FigureTableProps {
  /** Caption of the table for screen readers. */
  readonly label: string
  /** Heading of the names. */
  readonly of: string
  readonly columns: readonly FigureColumn[]
  readonly rows: readonly FigureRow[]
  /** Whether bars are drawn behind the names. */
  readonly hasBars?: boolean
  /** Whether the table stays a table on a narrow screen, where it then scrolls. */
  readonly keepsColumns?: boolean
}

export function FigureTable({ label, of, columns, rows, hasBars = false, keepsColumns = false }: FigureTableProps) {
  const headings = columns.map(column =>
    typeof column === 'string' ? { heading: column, cellClass: 'number' } : { heading: column.text, cellClass: undefined },
  )
  const classes = ['list', hasBars && 'bars', !keepsColumns && 'stacks'].filter(Boolean).join(' ')
  return (
    <section class="card scroll" tabindex={0} aria-label={label}>
      <table class={classes}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {headings.map(({ heading, cellClass }) => (
              <th scope="col" class={cellClass}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ head, cells }) => (
            <tr>
              <th scope="row">{head}</th>
              {headings.map(({ heading, cellClass }, i) => (
                <td class={cellClass} data-label={keepsColumns ? undefined : heading}>
                  {cells[i] === UNKNOWN ? <span class="none">{UNKNOWN}</span> : cells[i]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
