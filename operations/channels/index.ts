/** What other areas may use of this one. */
export { clipped } from './clipped.ts'
export type { Message } from './message.ts'
export { notify, type Queueing } from './queue.ts'
