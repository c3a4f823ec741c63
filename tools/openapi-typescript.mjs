export * from 'openapi-typescript'
export { default as openapiTS } from 'openapi-typescript'
