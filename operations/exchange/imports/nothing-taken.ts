/** Imports that fail because no row of their file could be imported. */
import { type Sentence, sentenceOf } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Error code of an import without a single imported row. */
export const NOTHING_TAKEN = 'nothing_taken'

export interface Counts {
  readonly read: number
  readonly taken: number
  readonly refused: number
}

/**
 * Whether rows were refused and none was imported. Rows of days that the import leaves out on request are not failures.
 * @param leavesDays whether the import leaves out days
 */
export const isNothingTaken = ({ read, taken, refused }: Counts, leavesDays: boolean): boolean =>
  taken === 0 && refused > 0 && (refused === read || !leavesDays)

/** @param reasons stored reasons of refused rows, at least one */
export function nothingTaken({ refused }: Pick<Counts, 'refused'>, reasons: readonly string[]): Sentence {
  const times = new Map<string, number>()
  for (const reason of reasons) times.set(reason, (times.get(reason) ?? 0) + 1)
  const [commonest] = [...times].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])
  return m.nothing_taken({ count: refused, reason: sentenceOf(commonest) })
}
