/** Notes and incidents, placed on a chart: each at the point of the series that it lies in. */
import type { ChartNote } from './line.tsx'
import { type Row, text } from '../../../adapters/pages/views/read.ts'

/** @param series its points, oldest first, each beginning `at` @param notes with `at` and `text` */
export function notesOn(series: readonly { readonly at?: unknown }[], notes: readonly Row[]): ChartNote[] {
  const starts = series.map(point => Date.parse(text(point.at)))
  const [first = Number.POSITIVE_INFINITY] = starts
  return notes
    .filter(note => Date.parse(text(note.at)) >= first)
    .map(note => ({ index: starts.findLastIndex(start => start <= Date.parse(text(note.at))), text: text(note.text) }))
}
