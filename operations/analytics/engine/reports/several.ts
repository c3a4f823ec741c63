/** Several reports under the same conditions, in one look at the days and as they are at one moment. */
import type { Asked, Found } from './index.ts'
import { prepare } from './index.ts'
import type { Pass, Report } from '../report.ts'
import { windowOn } from '../spans.ts'

export interface SeveralAsked {
  readonly report: 'several'
  readonly each: readonly Exclude<Asked, { report: 'several' }>[]
}
export interface Several {
  readonly report: 'several'
  /** One for each that was asked, in that order. */
  readonly each: Found[]
}

export const several: Report<SeveralAsked, Several> = async (query, { each }, context) => {
  const passes: Pass<Found>[] = []
  for (const asked of each) passes.push(await prepare(query, asked, context))
  return {
    spans: passes.flatMap(pass => pass.spans),
    add(day) {
      for (const pass of passes) if (pass.spans.some(span => windowOn(span, day) !== undefined)) pass.add(day)
    },
    answer: () => ({ report: 'several', each: passes.map(pass => pass.answer()) }),
  }
}
