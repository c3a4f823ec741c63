import { hook } from '../../../runtime/hook.ts'

/** From here on members come in by the identity provider alone; the workspace is locked. */
export const sso_enforced = hook<{ readonly workspaceId: string }>('single sign-on becomes the only way into a workspace')
