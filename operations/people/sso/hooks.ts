import { hook } from '../../../runtime/events/hook.ts'

/** From here on members come in by the identity provider alone; the workspace is locked. */
export const sso_enforced = hook<{ readonly workspaceId: string }>('single sign-on becomes the only way into a workspace')

/** The identity provider of this workspace signs somebody in no more, until they are linked anew: what began with it ends. */
export const sso_unlinked = hook<{ readonly workspaceId: string; readonly accountId: string }>(
  'an account is unlinked from an identity provider',
)
