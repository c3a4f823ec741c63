/** Notes and incidents, placed on a chart: each at the point of the series whose time it falls into. */
import type { ChartNote } from './line.tsx'

interface Dated {
  /** ISO 8601. */
  readonly at: string
}

/** @param series its points, oldest first, each beginning `at` */
export function notesOn(series: readonly Dated[], notes: readonly (Dated & { readonly text: string })[]): ChartNote[] {
  const starts = series.map(point => Date.parse(point.at))
  const [first = Number.POSITIVE_INFINITY] = starts
  return notes
    .filter(note => Date.parse(note.at) >= first)
    .map(note => ({ index: starts.findLastIndex(start => start <= Date.parse(note.at)), text: note.text }))
}
