/** Checks of a CSV's header. */
import { m } from '../messages.ts'
import type { Sentence } from '../../../../runtime/texts/message.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import type { Omission } from '../left-out.ts'

/**
 * @param known columns that are read; the columns in `needed` are required
 * @param why reasons for known columns that are ignored
 * @throws JobFailure naming the missing columns
 */
export function checkHeader(
  columns: readonly string[],
  {
    needed,
    known,
    why = {},
    product,
  }: { needed: readonly string[]; known: readonly string[]; why?: Readonly<Record<string, Sentence>>; product: string },
): Omission[] {
  const missing = needed.filter(name => !columns.includes(name))
  if (missing.length > 0) {
    const has = columns.slice(0, 40).join(', ').slice(0, 500)
    throw new JobFailure('wrong_columns', m.lacks_columns({ product, columns: missing, has }))
  }
  return columns
    .filter(name => name !== '' && !known.includes(name))
    .slice(0, 100)
    .map(name => ({ what: name.slice(0, 100), why: (Object.hasOwn(why, name) && why[name]) || m.column_not_read() }))
}
