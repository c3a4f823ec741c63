/** Edits that make one text of another, each with its cost. */
export interface EditCosts {
  /** A letter that the first text lacks. */
  readonly missing: number
  readonly surplus: number
  readonly other: number
  /** Two neighbouring letters in the wrong order. */
  readonly swapped: number
}

/** Without a cost for swapped letters of its own, which are two other letters. */
const plain: EditCosts = { missing: 1, surplus: 1, other: 1, swapped: 2 }

/** The least cost of making `b` of `a`: by default the Levenshtein distance, with `swapped` below 2 the optimal string alignment. */
export function editDistance(a: string, b: string, costs: EditCosts = plain): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, i) => i * costs.missing)]
  for (let i = 1; i <= a.length; i++) {
    const [before = [], row] = [rows[i - 1], [i * costs.surplus]]
    for (let j = 1; j <= b.length; j++) {
      const kept = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : costs.other)
      let min = Math.min((before[j] ?? 0) + costs.surplus, (row[j - 1] ?? 0) + costs.missing, kept)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) min = Math.min(min, (rows[i - 2]?.[j - 2] ?? 0) + costs.swapped)
      row.push(min)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
