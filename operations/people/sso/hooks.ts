import { hook } from '../../../runtime/events/hook.ts'

/** From here on, members sign in only with the identity provider. The workspace is locked. */
export const sso_enforced = hook<{ readonly workspaceId: string }>('single sign-on becomes the only way into a workspace')

/** The identity provider of this workspace no longer signs the account in until it is linked again. Sessions and tokens that it began end. */
export const sso_unlinked = hook<{ readonly workspaceId: string; readonly accountId: string }>(
  'an account is unlinked from an identity provider',
)
