/**
 * A metric over time as SVG made on the server. Places are percentages of the space that there is, so that it fits any
 * width without a script. The figures follow it as a table, for readers who do not see it.
 */
import { scaleLinear } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import type { Child } from 'hono/jsx'
import { plainNumber } from '../format.ts'
import { ui } from '../messages.ts'
import type { Reader } from '../../texts/reader.ts'
import { say } from '../../texts/say.ts'
import { Icon } from '../icons/icon.tsx'

export interface ChartPoint {
  readonly label: string
  /** The time that it begins at, for notes that are added there. */
  readonly at?: string
  /** A shorter label for the axis. */
  readonly axis?: string
  /** Null where nothing was measured: the line has a gap. */
  readonly value: number | null
  /** The value of the compared point, and its date. */
  readonly before?: number | null
  readonly beforeLabel?: string | undefined
  /** Whether the interval is not over yet, or cut by the period. */
  readonly isPartial?: boolean
}
export interface ChartNote {
  readonly index: number
  readonly text: string
}
interface LineChartProps {
  /** In whose language it is labelled. */
  readonly reader: Reader
  readonly title: string
  readonly points: readonly ChartPoint[]
  readonly notes?: readonly ChartNote[]
  readonly isCompared: boolean
  format(value: number): string
  /** Formats values of the axis, in fewer characters. */
  short(value: number): string
  /** Said instead of a chart where no point has a value. */
  readonly none?: string | undefined
  /** Shown instead of a table of the points, if a point has more than its value. */
  readonly figures?: Child
  /** Shown in the line below: what may be added. */
  readonly adds?: Child
  /** Drawn across, with what it says: a threshold. */
  readonly limit?: { readonly value: number; readonly text: string } | undefined
  /** Names of the two lines; defaults to this period and before. */
  readonly names?: { readonly now: string; readonly before: string } | undefined
}

/** A value that is never above 1 (a shift of the layout) fills the chart as well. */
function topOf(points: readonly ChartPoint[]): number {
  const max = Math.max(0, ...points.map(({ value, before }) => Math.max(value ?? 0, before ?? 0)))
  return max === 0 || points.every(({ value }) => Number.isInteger(value ?? 0)) ? Math.max(1, max) : max
}

const labelsAcross = 6
/** Of a chart on a phone, and of a character of its axis, px. */
const [NARROW_PX, CHARACTER_PX, GAP_PX] = [250, 6.5, 16]
/** So few points are columns: a line between them would say something about the time between. */
const MAX_COLUMNS = 3
/** A point with what is drawn and written of it. */
interface Placed extends ChartPoint {
  readonly i: number
  /** Percent from the left. */
  readonly left: number
  /** Percent from the top. */
  readonly top: number
  readonly name: string
  readonly shown: string
  readonly shownBefore: string
}
const tenth = (value: number): number => Math.round(value * 10) / 10

/** The area between each part of a curve and the foot of the chart: `M0,9C…,4,3` → `M0,9C…,4,3L4,100L0,100Z`. */
const shadeUnder = (curve: string): string =>
  curve
    .split('M')
    .filter(part => part !== '' && !part.endsWith('Z')) // a point of its own
    .map(part => {
      const places = part.split(/[,CL]/)
      return `M${part}L${places.at(-2)},100L${places[0]},100Z`
    })
    .join('')

export function LineChart({
  title,
  points,
  notes = [],
  isCompared,
  format,
  short,
  reader,
  none,
  limit,
  figures,
  adds,
  names,
}: LineChartProps) {
  if (points.length === 0) return null
  if (points.every(({ value }) => value === null)) return <p class="no-chart">{none ?? say(reader, ui.no_data_chart)}</p>
  const max = Math.max(topOf(points), limit?.value ?? 0)
  const y = scaleLinear([0, max], [100, 0]).nice(4)
  const areColumns = points.length <= MAX_COLUMNS
  const width = 100 / points.length
  const widthOfPoint = `${tenth(width)}%`
  /** Width of a column. */
  const wide = Math.min(10, width * 0.3)
  const xAt = (i: number): number => (areColumns ? (i + 0.5) * width : (100 * i) / (points.length - 1))
  const ticks = y.ticks(4).filter(tick => max >= 4 || max < 1 || Number.isInteger(tick))
  const whole = points.findLastIndex(({ isPartial }) => !isPartial)
  const isMeasured = ({ value }: ChartPoint): boolean => value !== null
  const shape = line<Placed>()
    .curve(curveMonotoneX)
    .defined(isMeasured)
    .x(({ left }) => left)
    .y(({ top }) => top)
  const before = line<Placed>()
    .curve(curveMonotoneX)
    .defined(point => typeof point.before === 'number')
    .x(({ left }) => left)
    .y(point => tenth(y(point.before ?? 0)))
  const figure = (value: number | null | undefined): string => (typeof value === 'number' ? format(value) : '–')
  const placed = points.map(
    (point, i): Placed => ({
      ...point,
      i,
      left: tenth(xAt(i)),
      top: tenth(y(point.value ?? 0)),
      name: point.isPartial ? `${point.label} (${say(reader, ui.not_over)})` : point.label,
      shown: figure(point.value),
      shownBefore: isCompared ? figure(point.before) : '',
    }),
  )
  // Each is a curve of its own, so that the shade ends where the lines are.
  const over = shape(placed.slice(0, whole + 1)) ?? ''
  const unfinished = (whole < points.length - 1 && shape(placed.slice(Math.max(0, whole)))) || ''
  const every = Math.max(1, Math.ceil(points.length / labelsAcross))
  /** Every how many labels a narrow chart has one. The first begins at the left, so the next needs half its width more. */
  const widest = CHARACTER_PX * Math.max(...points.map(({ label, axis = label }) => axis.length))
  const spacing = (every * NARROW_PX) / (areColumns ? points.length : points.length - 1)
  const narrowEvery = Math.max(areColumns ? 1 : 2, Math.ceil((widest * (areColumns ? 1 : 1.5) + GAP_PX) / spacing))
  const highest = placed.reduce((best, point) => ((point.value ?? 0) > (best.value ?? 0) ? point : best))
  const says = say(reader, ui.chart_says, {
    title,
    from: points[0]?.label ?? '',
    to: points.at(-1)?.label ?? '',
    most: highest.shown,
    when: highest.label,
  })
  const called = names ?? { now: say(reader, ui.this_period), before: say(reader, ui.before) }
  return (
    <figure class="chart">
      <div class="plotted">
        <svg class="scale" aria-hidden="true" width={`${0.6 * Math.max(...ticks.map(tick => short(tick).length)) + 0.6}em`}>
          {ticks.map(tick => (
            <text x="100%" dx="-8" y={`${tenth(y(tick))}%`} dy="4" text-anchor="end">
              {tick === 0 ? plainNumber(0, reader) : short(tick)}
            </text>
          ))}
        </svg>
        <svg class="plot" role="img" aria-label={says}>
          {ticks.map(tick => (
            <line class="grid" x1="0" x2="100%" y1={`${tenth(y(tick))}%`} y2={`${tenth(y(tick))}%`} />
          ))}
          {areColumns ? (
            placed.map(({ i, value, before: earlier, isPartial }) => (
              <>
                {typeof earlier === 'number' && isCompared && (
                  <Column kind="before" middle={xAt(i) - wide * 0.54} wide={wide} top={y(earlier)} />
                )}
                {value !== null && (
                  <Column
                    kind={isPartial ? 'now partial' : 'now'}
                    middle={xAt(i) + (isCompared ? wide * 0.54 : 0)}
                    wide={wide}
                    top={y(value)}
                  />
                )}
              </>
            ))
          ) : (
            <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true">
              <defs>
                <linearGradient id="shade" x1="0" x2="0" y1="0" y2="1">
                  <stop class="from" offset="0" />
                  <stop class="to" offset="1" />
                </linearGradient>
              </defs>
              <path class="shade" d={shadeUnder(over) + shadeUnder(unfinished)} />
              {isCompared && <path class="before" d={before(placed) ?? ''} />}
              <path class="now" d={over} />
              {unfinished !== '' && <path class="now partial" d={unfinished} />}
            </svg>
          )}
          {!areColumns &&
            placed
              .filter(point => isMeasured(point) && ![placed[point.i - 1], placed[point.i + 1]].some(next => next && isMeasured(next)))
              .map(({ left, top }) => <circle class="column" cx={`${left}%`} cy={`${top}%`} r="3" />)}
          {limit && (
            <g class="limit">
              <line x1="0" x2="100%" y1={`${tenth(y(limit.value))}%`} y2={`${tenth(y(limit.value))}%`} />
              <text x="4" y={`${tenth(y(limit.value))}%`} dy={y(limit.value) < 12 ? 14 : -5}>
                {limit.text}
              </text>
            </g>
          )}
          {notes.map(({ index, text }) => (
            <g class="note">
              <line x1={`${tenth(xAt(index))}%`} x2={`${tenth(xAt(index))}%`} y1="0" y2="100%" />
              <foreignObject x={`${tenth(xAt(index))}%`} y="0" width="1" height="1">
                <span class={xAt(index) > 85 ? 'flag-label at-end' : xAt(index) < 15 ? 'flag-label at-start' : 'flag-label'} title={text}>
                  <Icon name="note" size="small" />
                  <span>{text}</span>
                </span>
              </foreignObject>
            </g>
          ))}
          {placed.filter(isMeasured).map(({ i, at, name, left, top, beforeLabel, shown, shownBefore }) => {
            const across = `${left}%`
            const compared = isCompared ? `\n${beforeLabel ?? called.before}: ${shownBefore}` : ''
            return (
              <g class={areColumns ? 'point is-column' : 'point'} data-at={at}>
                <rect x={`${tenth(Math.max(0, xAt(i) - width / 2))}%`} width={widthOfPoint} y="0" height="100%" />
                <line x1={across} x2={across} y1="0" y2="100%" />
                <circle cx={across} cy={`${top}%`} r="4" />
                <title>{`${name}: ${shown}${compared}`}</title>
              </g>
            )
          })}
        </svg>
        <svg class="axis" aria-hidden="true">
          {placed.map(({ i, left, label, axis = label }) => {
            if (i % every !== 0 || (!areColumns && i !== 0 && points.length - 1 - i < every / 2)) return null
            const isWide = (i / every) % narrowEvery !== 0
            const anchor = areColumns ? 'middle' : i === 0 ? 'start' : i === points.length - 1 ? 'end' : 'middle'
            return (
              <text class={isWide ? 'wide' : undefined} x={`${left}%`} y="15" text-anchor={anchor}>
                {axis}
              </text>
            )
          })}
        </svg>
      </div>
      <figcaption>
        {isCompared && (
          <>
            <span class="key now">{called.now}</span>
            <span class="key before">{called.before}</span>
          </>
        )}
        <details>
          <summary>{say(reader, ui.figures)}</summary>
          {figures ?? (
            <section class="scroll" tabindex={0} aria-label={`${say(reader, ui.figures)}: ${title}`}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{say(reader, ui.when)}</th>
                    <th scope="col" class="number">
                      {title}
                    </th>
                    {isCompared && (
                      <th scope="col" class="number">
                        {called.before}
                      </th>
                    )}
                  </tr>
                </thead>
                <tbody>
                  {placed.map(({ name, shown, shownBefore }) => (
                    <tr>
                      <th scope="row">{name}</th>
                      <td class="number">{shown}</td>
                      {isCompared && <td class="number">{shownBefore}</td>}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </details>
        {adds}
      </figcaption>
    </figure>
  )
}

interface ColumnProps {
  readonly kind: 'now' | 'now partial' | 'before'
  /** Percent of the width. */
  readonly middle: number
  readonly wide: number
  /** Percent from the top. */
  readonly top: number
}

const Column = ({ kind, middle, wide, top }: ColumnProps) => (
  <rect
    class={`column ${kind}`}
    x={`${tenth(middle - wide / 2)}%`}
    width={`${tenth(wide)}%`}
    y={`${tenth(top)}%`}
    height={`${tenth(100 - top)}%`}
    rx="4"
  />
)
