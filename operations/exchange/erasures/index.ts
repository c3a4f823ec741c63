export { value_erased } from './hooks.ts'
