/** The part of this area that others may use. */
export type { Message } from './message.ts'
export { notify, type Queueing } from './queue.ts'
