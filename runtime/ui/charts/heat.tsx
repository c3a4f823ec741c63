/** A week by the hour: the busier an hour usually is, the stronger its colour. */
import { shades } from './shades.ts'

export interface HeatRow {
  readonly label: string
  /** In full. */
  readonly name?: string
  /** One for each hour; null if the hour never came. */
  readonly values: readonly (number | null)[]
}
interface HeatProps {
  /** Describes the chart in a sentence, for readers who do not see it. */
  readonly label: string
  readonly rows: readonly HeatRow[]
  /** Names of the hours that have a label, by their number. */
  readonly hours: ReadonlyMap<number, string>
  says(row: HeatRow, hour: number, value: number): string
}

const [columnWidth, rowHeight, gap] = [100 / 24, 100 / 7, 0.3]
const tenth = (value: number): number => Math.round(value * 10) / 10

export function WeekHeat({ label, rows, hours, says }: HeatProps) {
  const max = Math.max(1e-9, ...rows.flatMap(({ values }) => values.map(value => value ?? 0)))
  const shade = shades(max)
  return (
    <figure class="week tipped">
      <ul aria-hidden="true">
        {rows.map(row => (
          <li>{row.label}</li>
        ))}
      </ul>
      <svg class="cells" role="img" aria-label={label}>
        {rows.map((row, y) =>
          row.values.map((value, hour) => (
            <rect
              class={value ? 'heat' : 'heat0'}
              fill-opacity={value ? shade(value) : undefined}
              x={`${tenth(hour * columnWidth)}%`}
              y={`${tenth(y * rowHeight)}%`}
              width={`${tenth(columnWidth - gap)}%`}
              height={`${tenth(rowHeight - 2 * gap)}%`}
              rx="3"
            >
              {value !== null && <title>{says(row, hour, value)}</title>}
            </rect>
          )),
        )}
      </svg>
      <svg class="hours" aria-hidden="true">
        {[...hours].map(([hour, name]) => (
          <text x={`${tenth(hour * columnWidth)}%`} y="14">
            {name}
          </text>
        ))}
      </svg>
    </figure>
  )
}
