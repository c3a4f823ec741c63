import { yieldWhereDue } from '../system/event-loop.ts'
import { chunksOf } from '../values/chunks.ts'

/** Runs statements for a limited number of items at a time, and lets other work run between them. */
export async function inPieces<Item>(items: readonly Item[], atOnce: number, run: (some: Item[]) => Promise<unknown>): Promise<void> {
  for (const some of chunksOf(items, atOnce)) {
    await run(some)
    await yieldWhereDue()
  }
}

/** Reads rows for a limited number of items at a time, in the order of the items. */
export async function rowsInPieces<Item, Row>(
  items: readonly Item[],
  atOnce: number,
  read: (some: Item[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = []
  await inPieces(items, atOnce, async some => {
    for (const row of await read(some)) all.push(row)
  })
  return all
}
