export * from 'samlify'
export { default as samlify } from 'samlify'
