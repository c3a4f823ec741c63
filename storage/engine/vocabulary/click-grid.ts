/**
 * The areas of a page in which clicks are counted: each is 2 % of the width wide and 50 px high; everything below 50,000 px counts in
 * the lowest row.
 */
export const GRID = Object.freeze({ columns: 50, height: 50, rows: 1_000 })
