/** Messages about creating workspaces. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('workspace_creation', {
  needs_password_or_passkey: 'Sign in with a password or a passkey to create a workspace. Single sign-on opens only its own workspace.',
})
