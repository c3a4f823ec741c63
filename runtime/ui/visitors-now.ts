/** The visitors who are on a site now, next to the entry of the navigation that lists them. An area fills it in. */
import { slot } from './slot.ts'

export interface Presence {
  /** Path of the page that lists them, which the viewer may open. */
  readonly path: string
  /** Undefined if they were not counted. */
  count(): Promise<number | undefined>
}

export const presence = slot<object, Presence>('visitors who are on the site now')
