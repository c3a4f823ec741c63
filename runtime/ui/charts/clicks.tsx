/** A map of the clicks on a page: the page as an outline, the busier a part the stronger its colour. */
import { shades } from './shades.ts'

export interface ClickPart {
  /** Percent of the page's width. */
  readonly x: number
  /** Pixels from the top. */
  readonly y: number
  readonly clicks: number
}
interface ClickMapProps {
  readonly label: string
  readonly parts: readonly ClickPart[]
  /** Place of a part: percent of the page's width, and pixels. */
  readonly width: number
  readonly height: number
}

/** The width of a page that is drawn, in pixels: horizontal places are known only in percent. */
const pageWidth = 1_200
/** Pixels from the top; parts below are left out: few scroll so far, and the map would be a thread. */
const lowest = 4_000

export function ClickMap({ label, parts, width, height }: ClickMapProps) {
  const shown = parts.filter(({ y }) => y < lowest)
  const max = Math.max(1, ...shown.map(({ clicks }) => clicks))
  const shade = shades(Math.sqrt(max))
  const bottom = Math.max(600, ...shown.map(({ y }) => y + height))
  return (
    <svg class="clicks" viewBox={`0 0 ${pageWidth} ${bottom}`} role="img" aria-label={label}>
      <rect class="page" width={pageWidth} height={bottom} rx="12" />
      {shown.map(({ x, y, clicks }) => (
        <rect
          class="heat"
          fill-opacity={shade(Math.sqrt(clicks))}
          x={Math.round((pageWidth * x) / 100)}
          y={y}
          width={Math.max(1, Math.round((pageWidth * width) / 100))}
          height={height}
        >
          <title>{clicks}</title>
        </rect>
      ))}
    </svg>
  )
}
