/** A short table of values, the weight of each as a bar behind its name. */
import type { Child } from 'hono/jsx'
import { Bar } from './share.tsx'
import { Clipped } from './clipped.tsx'
import { ui } from './messages.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

export interface BarRow {
  readonly label: string
  /** Picture before the label. */
  readonly mark?: Child
  readonly href?: string | undefined
  /** Length of its bar, relative to the other bars. */
  readonly weight: number
  readonly cells: readonly Child[]
}

interface BarTableProps {
  /** Heading of the names. */
  readonly label: string
  /** Headings of the figures; two fit a narrow panel. */
  readonly columns: readonly Child[]
  readonly rows: readonly BarRow[]
  readonly viewer: Reader
  /** Shown if there is none. */
  readonly none?: string
}

export function BarTable({ label, columns, rows, none, viewer }: BarTableProps) {
  if (rows.length === 0) return <p class="none">{none ?? say(viewer, ui.nothing_in_period)}</p>
  const max = Math.max(...rows.map(({ weight }) => weight), Number.MIN_VALUE)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {columns.map(name => (
            <th scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr>
            <th scope="row">
              <Bar value={row.weight} max={max} />
              {row.href === undefined ? (
                <span class="named">
                  {row.mark}
                  <Clipped text={row.label || say(viewer, ui.unnamed)} />
                </span>
              ) : (
                <a href={row.href}>
                  {row.mark}
                  <Clipped text={row.label || say(viewer, ui.unnamed)} />
                </a>
              )}
            </th>
            {row.cells.map(cell => (
              <td class="number">{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A part of a page with its heading, next to others of its kind. */
export function Panel({ title, id, children }: { title: string; id: string; children?: Child }) {
  return (
    <section class="card panel" aria-labelledby={`panel-${id}`} id={id}>
      <h2 id={`panel-${id}`}>{title}</h2>
      {children}
    </section>
  )
}
