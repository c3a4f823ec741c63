export { value_erasing } from './hooks.ts'
