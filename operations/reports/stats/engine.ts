/** The analytics engine, which areas of sites use too. */
export { engine } from '../../sites/sites/index.ts'
