export * from 'samlify'
export { default } from 'samlify'
