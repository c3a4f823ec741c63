/** What other areas may use of this one. */
export type { Message } from './message.ts'
export { notify, type Queueing } from './queue.ts'
