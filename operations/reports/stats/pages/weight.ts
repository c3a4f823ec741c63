/** The size of a row next to the others. */
type Weighed = Readonly<Partial<Record<'visitors' | 'visits' | 'pageviews', number | null>>>

const weights = Object.freeze(['visitors', 'visits', 'pageviews'] as const)

/** Weighs rows by their visitors or, as imported totals may lack those, by the first figure that all rows have. */
export function weigher(rows: readonly Weighed[]): (row: Weighed) => number {
  const name = weights.find(each => rows.every(row => typeof row[each] === 'number')) ?? 'visitors'
  return row => row[name] ?? 0
}
