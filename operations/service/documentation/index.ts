/** Public functions of the manual for other areas, which search it together with records. */
export { documents } from './documents.ts'
