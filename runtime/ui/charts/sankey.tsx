/**
 * How visits flow through steps, as SVG made on the server: columns of rows, and bands between them. Across, places are
 * percentages of the space that there is; down, they are pixels, so that each row has room for its name.
 */
import { sankey, type SankeyLink, type SankeyNode } from 'd3-sankey'
import { area, curveBumpX } from 'd3-shape'
import type { Child } from 'hono/jsx'

export interface FlowRow {
  readonly label: string
  readonly figure: string
  readonly value: number
  readonly href: string | undefined
  /** Combines the remaining rows of its column. */
  readonly isRest: boolean
}
export interface FlowLink {
  /** The column it leads from; it leads to the next. */
  readonly column: number
  readonly from: number
  readonly to: number
  readonly value: number
}
interface SankeyChartProps {
  readonly label: string
  readonly columns: readonly (readonly FlowRow[])[]
  readonly links: readonly FlowLink[]
  /** From right to left: the first column is where it ends. */
  readonly isBackward: boolean
  format(value: number): string
}

interface Node extends FlowRow {
  readonly column: number
}
type Placed = SankeyNode<Node, object>
type Band = SankeyLink<Node, object>

/** Pixels: two lines of text, and a target that a finger hits (WCAG 2.5.8). */
const rowHeight = 40
const barWidth = 1.2
/** More columns are wider than most screens, and are moved sideways. */
const USUAL_COLUMNS = 4
const LONG_COLUMNS = 7
const tenth = (value: number): number => Math.round(value * 10) / 10

export function SankeyChart({ label, columns, links, isBackward, format }: SankeyChartProps) {
  const max = Math.max(0, ...columns.map(({ length }) => length))
  if (max === 0) return null
  const height = max * rowHeight + 300
  const first = columns.map((_, column) => columns.slice(0, column).reduce((sum, { length }) => sum + length, 0))
  const nodes = columns.flatMap((rows, column) =>
    rows.map((row): Node & { fixedValue: number } => ({ ...row, column, fixedValue: row.value })),
  )
  const bands = links
    .filter(({ column, from, to, value }) => value > 0 && columns[column]?.[from] && columns[column + 1]?.[to])
    .map(({ column, from, to, value }) => ({ source: (first[column] ?? 0) + from, target: (first[column + 1] ?? 0) + to, value }))
  const width = 100 / columns.length
  const graph = sankey<Node, object>()
    .nodeAlign(({ column }) => column)
    .nodeSort(null) // as they are given: the most first, the rest last
    .iterations(0) // columns keep the same room between their rows
    .nodeWidth(barWidth)
    .nodePadding(rowHeight)
    .extent([
      [0, 4],
      [100, height - rowHeight],
    ])({ nodes, links: bands })
  // By column, not as it lays them out: if all visits end in the first column, there is only that one.
  const left = (column: number): number => tenth(width * (isBackward ? columns.length - 1 - column : column))
  const length = columns.length > LONG_COLUMNS ? 'sankey longest' : 'sankey long'
  const flow = (
    <svg class={columns.length > USUAL_COLUMNS ? length : 'sankey'} height={height}>
      <title>{label}</title>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" width="100%" height={height} aria-hidden="true">
        {graph.links.map(band => (
          <path class="band" d={shapeOf(band, left, isBackward)}>
            <title>{`${nameOf(band.source)} → ${nameOf(band.target)}: ${format(band.value)}`}</title>
          </path>
        ))}
      </svg>
      {graph.nodes.map(node => {
        const { y0 = 0, y1 = 0 } = node
        const at = left(node.column)
        return (
          <>
            <rect
              class={node.isRest ? 'rest' : 'stop'}
              x={`${tenth(at)}%`}
              y={tenth(y0)}
              width={`${barWidth}%`}
              height={Math.max(2, tenth(y1 - y0))}
            />
            <foreignObject x={`${tenth(at + barWidth)}%`} y={tenth(y0)} width={`${tenth(width - barWidth * 2)}%`} height={rowHeight}>
              <Named href={node.href} title={`${node.label}: ${node.figure}`}>
                <b>{node.label}</b>
                <small>{node.figure}</small>
              </Named>
            </foreignObject>
          </>
        )
      })}
    </svg>
  )
  return <div class="scroll">{flow}</div>
}

/** Ends with an ellipsis if there is no room. */
const Named = ({ href, title, children }: { href: string | undefined; title: string; children?: Child }) =>
  href === undefined ? (
    <span class="stop-name" title={title}>
      {children}
    </span>
  ) : (
    <a class="stop-name" href={href} title={title}>
      {children}
    </a>
  )

const nameOf = (end: Placed | string | number): string => (typeof end === 'object' ? end.label : '')

/** A band as an area, so that its ends are as thick as its value whatever the width. */
function shapeOf({ source, target, width = 0, y0 = 0, y1 = 0 }: Band, left: (column: number) => number, isBackward: boolean): string {
  if (typeof source !== 'object' || typeof target !== 'object') return ''
  const half = Math.max(0.5, width / 2)
  const ends = [
    { x: left(source.column) + (isBackward ? 0 : barWidth), y: y0 },
    { x: left(target.column) + (isBackward ? barWidth : 0), y: y1 },
  ]
  const shape = area<(typeof ends)[number]>()
    .x(({ x }) => tenth(x))
    .y0(({ y }) => tenth(y - half))
    .y1(({ y }) => tenth(y + half))
    .curve(curveBumpX)
  return shape(ends) ?? ''
}
