/** Public functions of notification channels for other areas. */
export type { Message } from './message.ts'
export { notify, type Queueing } from './queue.ts'
