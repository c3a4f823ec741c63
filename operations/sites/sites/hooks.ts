import { hook } from '../../../runtime/events/hook.ts'
import type { LiveSite } from './records.ts'

/** Runs once the site belongs to the other workspace: what is the old one's alone (channels) lets go of it. */
export const site_transferred = hook<{ readonly site: LiveSite; readonly to: string }>('a site moves to another workspace')
