import { dimensionOf } from '../vocabulary/dimensions.ts'
import type { Scope } from '../vocabulary/scope.ts'
import { type Context, ownSet } from './resolve.ts'
import type { BounceBasis } from '../days/tally.ts'

/** With a filter on pages, bounces and durations cover visits that entered there. */
export async function bounceBasisUnder(where: Scope['where'], { texts, note }: Context): Promise<BounceBasis> {
  const page = dimensionOf('page')
  const entered = page ? await ownSet(where, page, texts) : null
  if (entered === null) return 'all'
  note({
    code: 'bounces_of_entries',
    message: 'bounce_rate and visit_duration count only the visits that entered on a page the filter asks for.',
  })
  return entered
}
