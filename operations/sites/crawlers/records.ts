/** Schemas of crawlers that other areas use. */
export { categories, type Category, known } from './crawler-list.ts'
