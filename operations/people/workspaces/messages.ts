/** Messages about workspace settings. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('workspaces', {
  own_factor_first: 'Set up a second factor or a passkey for your own account first.',
  new_sites: 'New sites',
  new_sites_start: 'What new sites start with. Each site can change it.',
  rules_for_members: 'Rules for members and their data',
  reports_by_mail: 'Reports by e-mail',
  name_of_workspace: 'the name of the workspace',
})
