/** The click map of a page: its query, and the conversion to the form of the API. */
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'
import type { Clicks, ClicksQuestion } from '../../../storage/engine/index.ts'
import { GRID } from '../../../storage/engine/vocabulary/click-grid.ts'
import { percentOf } from '../../../storage/engine/vocabulary/metrics.ts'

const ELEMENTS = 50
const PARTS = 1_000

export const clicksAsked = (path: string, span: Span): ClicksQuestion => ({
  report: 'clicks',
  path,
  span,
  elements: ELEMENTS,
  parts: PARTS,
})

/** @param hasGrid whether to include the positions of the clicks, at most 1,000 */
export function clickMap({ clicks, elements, parts }: Clicks, hasGrid: boolean) {
  const rest = clicks - elements.reduce((sum, element) => sum + element.clicks, 0)
  const shown = elements.map(({ selector, clicks: some, x, y }) => ({
    kind: 'element' as const,
    value: selector,
    label: selector,
    clicks: some,
    share: percentOf(some, clicks),
    x: percentOf(x, WIDTH),
    y: Math.round(y),
  }))
  const other = {
    kind: 'other' as const,
    value: '',
    label: '(other)',
    clicks: rest,
    share: percentOf(rest, clicks),
    x: null,
    y: null,
  }
  const width = 100 / GRID.columns
  return {
    clicks,
    elements: rest > 0 ? [...shown, other] : shown,
    ...(hasGrid && {
      grid: {
        width,
        height: GRID.height,
        parts: parts.map(({ column, row, clicks: some }) => ({ x: column * width, y: row * GRID.height, clicks: some })),
      },
    }),
  }
}

/** Width of a page in units of the engine. */
const WIDTH = 10_000
