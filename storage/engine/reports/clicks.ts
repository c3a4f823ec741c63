/** Clicks on a page, by element and by area. (Every `!` is inside bounds.) */
import { idOf } from '../scan/goals.ts'
import { allReads, columnsRead } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOver } from '../scan/day-counter.ts'
import { countsWith, measurementsCounted } from '../scan/measurements.ts'
import { withReads } from '../scan/scan.ts'
import { groupsOf } from '../days/measures.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { resolveAll } from '../scan/resolve.ts'
import { windowOn } from '../days/spans.ts'
import { GRID } from '../vocabulary/click-grid.ts'

const WIDTH = 10_000

export interface ClicksQuestion {
  readonly report: 'clicks'
  readonly path: string
  readonly span: Span
  /** Most elements, and most areas, to return. */
  readonly elements: number
  readonly parts: number
}
export interface ClickedElement {
  readonly selector: string
  readonly clicks: number
  /** Mean position, in ten-thousandths of the width and in pixels. */
  readonly x: number
  readonly y: number
}
/** An area of the page, counted from its top left corner. */
export interface ClickedPart {
  readonly column: number
  readonly row: number
  readonly clicks: number
}
export interface Clicks {
  readonly report: 'clicks'
  readonly clicks: number
  readonly elements: readonly ClickedElement[]
  readonly parts: readonly ClickedPart[]
}

const clicksRead = columnsRead('clicks.page', 'clicks.selector', 'clicks.first', 'clicks.x', 'clicks.y', 'clicks.visit')

export const clicksReport: Report<ClicksQuestion, Clicks> = async ({ where }, { path, span, ...most }, context) => {
  const { texts, measures, workspace } = context
  const conditions = await resolveAll(where, context)
  const page = idOf(await texts.of('page'), path)
  const selectors = await texts.of('selector')
  const byElement = new Map<number, { clicks: number; x: number; y: number }>()
  const byPart = new Uint32Array(GRID.columns * GRID.rows)

  return {
    spans: page === 0 ? [] : [span],
    reads: readsOver(span, withReads(measurementsCounted(conditions.length > 0), allReads([readsOfConditions(conditions), clicksRead]))),
    scans: true,
    async add(day) {
      const clicks = await measures.clicks(day, page)
      const window = windowOn(span, day)
      if (clicks.count === 0 || window === undefined) return
      const { first, selector, x, y } = clicks
      const counts = countsWith(day, workspace.masks.of(day, conditions), window)
      const groups = groupsOf(clicks, page)
      for (let g = groups.from; g < groups.to; g++) {
        const element = byElement.get(selector[g]!) ?? { clicks: 0, x: 0, y: 0 }
        for (let c = first[g]!; c < first[g + 1]!; c++) {
          if (counts !== null && !counts(clicks.visit[c]!)) continue
          element.clicks++
          element.x += x[c]!
          element.y += y[c]!
          const column = Math.min(GRID.columns - 1, Math.floor((x[c]! * GRID.columns) / WIDTH))
          byPart[Math.min(GRID.rows - 1, Math.floor(y[c]! / GRID.height)) * GRID.columns + column]!++
        }
        if (element.clicks > 0) byElement.set(selector[g]!, element)
      }
    },
    answer: () => ({
      report: 'clicks',
      clicks: byPart.reduce((all, clicks) => all + clicks, 0),
      elements: [...byElement]
        .map(([id, { clicks, x, y }]) => ({ selector: selectors[id] ?? '', clicks, x: x / clicks, y: y / clicks }))
        .sort((a, b) => b.clicks - a.clicks || (a.selector < b.selector ? -1 : 1))
        .slice(0, most.elements),
      parts: [...byPart.keys()]
        .filter(part => byPart[part] !== 0)
        .sort((a, b) => byPart[b]! - byPart[a]! || a - b)
        .slice(0, most.parts)
        .map(part => ({ column: part % GRID.columns, row: Math.floor(part / GRID.columns), clicks: byPart[part]! })),
    }),
  }
}
