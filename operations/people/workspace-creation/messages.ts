/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('workspace_creation', {
  needs_password_or_passkey: 'Sign in with a password or a passkey to make a workspace: single sign-on opens the one that it belongs to.',
})
