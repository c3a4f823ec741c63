/** Crawler schemas for other areas. */
export { categories, type Category, known } from './crawler-list.ts'
