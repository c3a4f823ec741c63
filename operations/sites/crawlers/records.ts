/** What other areas know of crawlers. */
export { categories, type Category, known } from './known.ts'
