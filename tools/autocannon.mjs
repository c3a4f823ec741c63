export { default } from 'autocannon'
