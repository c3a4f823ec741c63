/** The table of what the engine can be asked. */
import type { Query } from '../query.ts'
import type { Pass, Report } from '../report.ts'
import type { Resolver } from '../resolve.ts'
import { breakdown, type Breakdown, type BreakdownAsked } from './breakdown.ts'
import { several, type Several, type SeveralAsked } from './several.ts'
import { totals, type Totals, type TotalsAsked } from './totals.ts'

interface Reports {
  readonly totals: readonly [TotalsAsked, Totals]
  readonly breakdown: readonly [BreakdownAsked, Breakdown]
  readonly several: readonly [SeveralAsked, Several]
}
const reports: { readonly [R in ReportName]: Report<AskedOf<R>, FoundBy<R>> } = Object.freeze({ totals, breakdown, several })

export type ReportName = keyof Reports
export type AskedOf<R extends ReportName> = Reports[R][0]
export type FoundBy<R extends ReportName> = Reports[R][1]
export type Asked = AskedOf<ReportName>
export type Found = FoundBy<ReportName>

export function prepare(query: Query, asked: Asked, context: Resolver): Promise<Pass<Found>> {
  const report = reports[asked.report] as Report<Asked, Found> // the one that takes what is asked
  return report(query, asked, context)
}
