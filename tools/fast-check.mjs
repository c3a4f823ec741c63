export * from 'fast-check'
export { default as fc } from 'fast-check'
