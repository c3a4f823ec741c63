// @ts-expect-error it has no types
export { default } from 'oidc-provider'
