export { default as dns2 } from 'dns2'
