/** `footfall/server` of npm. */
export { createFootfall } from './footfall.ts'
export { forExpress, forFastify, forFetch, forHono, forNext } from './middleware.ts'
