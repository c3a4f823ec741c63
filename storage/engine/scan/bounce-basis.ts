import { dimensionOf } from '../vocabulary/dimensions.ts'
import type { Scope } from '../vocabulary/question.ts'
import { ownSet, type Resolver } from './resolve.ts'
import type { Counted } from '../days/tally.ts'

/** With a filter on pages, bounce and duration are those of the visits that entered there. */
export async function countedUnder(where: Scope['where'], { texts, note }: Resolver): Promise<Counted> {
  const page = dimensionOf('page')
  const entered = page ? await ownSet(where, page, texts) : null
  if (entered === null) return 'all'
  note({
    code: 'bounces_of_entries',
    message: 'bounce_rate and visit_duration count only the visits that entered on a page the filter asks for.',
  })
  return entered
}
