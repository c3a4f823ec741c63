// @ts-expect-error it has no types
export { default as Provider } from 'oidc-provider'
