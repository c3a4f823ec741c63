export { default } from 'dns2'
