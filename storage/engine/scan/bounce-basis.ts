import type { BounceBasis } from '../days/tally.ts'
import type { Narrowing } from './narrowing.ts'
import type { Context } from './resolve.ts'

/** With a filter on pages, bounces and durations count the visits that entered there. */
export function bounceBasisUnder(narrowing: Narrowing | null, { note }: Pick<Context, 'note'>): BounceBasis {
  if (!narrowing?.pages) return 'all'
  note({ code: 'bounces_of_entries' })
  return narrowing.pages
}
