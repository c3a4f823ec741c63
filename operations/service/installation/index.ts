/** Exports of this area for other areas. */
export { isOperator } from './operators.ts'
