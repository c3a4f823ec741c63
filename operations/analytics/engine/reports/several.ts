/** Several reports under the same conditions, in one look at the days and as they are at one moment. */
import type { Asked, Found } from './index.ts'
import { prepare } from './index.ts'
import type { Pass, Report } from '../report.ts'
import { Missing, type Part } from '../sealed-day.ts'
import { type Coverage, coverageOf } from '../spans.ts'

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
  const passes: (Pass<Found> & Pick<Coverage, 'touches'>)[] = []
  for (const asked of each) {
    const pass = await prepare(query, asked, context)
    passes.push({ ...pass, touches: coverageOf(pass.spans).touches })
  }
  return {
    spans: passes.flatMap(pass => pass.spans),
    async add(day) {
      const missing: Part[] = []
      for (const pass of passes) {
        if (!pass.touches(day)) continue
        try {
          const looking = pass.add(day)
          if (looking) await looking
        } catch (fault) {
          if (!(fault instanceof Missing)) throw fault
          missing.push(...fault.parts)
        }
      }
      if (missing.length > 0) throw new Missing(missing) // of all of them at once: the run begins anew once
    },
    answer: () => ({ report: 'several', each: passes.map(pass => pass.answer()) }),
  }
}
