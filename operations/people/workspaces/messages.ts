/** Messages about workspace settings. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('workspaces', {
  own_factor_first: 'Set up a second factor or a passkey for your own account first.',
  name_of_workspace: 'the name of the workspace',
})
