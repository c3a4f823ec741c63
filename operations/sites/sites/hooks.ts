import { hook } from '../../../runtime/events/hook.ts'
import type { Divided } from '../../../storage/hits/recut-day.ts'
import type { LiveSite } from './records.ts'

/** Runs after a site keeps less of persons than before: their ids, or some of their traits, are to be deleted. */
export const identity_narrowed = hook<{ readonly site: LiveSite }>('a site keeps less of persons')

/** Runs after the site was assigned to the other workspace, so that it can be detached from records of the old one, for example channels. */
export const site_transferred = hook<{ readonly site: LiveSite; readonly to: string }>('a site moves to another workspace')

/** Runs in the transaction in which the history of a site begins to move into another. */
export const site_merging = hook<{ readonly site: LiveSite; readonly into: LiveSite }>('a site is merged into another')

/** Runs in each transaction that moves visits from one stored day to others, after a change of the time zone. */
export const day_divided = hook<Divided>('visits of a day move to other days')
