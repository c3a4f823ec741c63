/** Exports of this area for other areas. */
export { roleDescriptions } from './messages.ts'
