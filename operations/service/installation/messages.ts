/** Messages of the page of the installation, and of mails to its operators. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('installation', {
  no_backup: 'No backup of {address}',
  last_backup_was: 'The last backup that was read back and checked is from {time}.',
  no_backup_yet: 'No backup has been made yet.',
  backup_failed_with: 'The last attempt failed: {error}',
  only_operators:
    'Only the operators of this installation see this page. The setting OPERATORS names them. If it names your address, set a password with a mailed link first (“Forgot your password?” at sign-in).',
  not_by_sso: 'An identity provider opens only its own workspace. Sign in with a password or a passkey to see the installation.',
  backups: 'Backups',
  backups_off: 'Footfall makes no backups here. Set BACKUP_URL, or make them another way.',
  size: 'Size',
  made: 'Made',
  outcome: 'Result',
  checked: 'Read back and checked',
  not_checked: 'Not finished',
  background_tasks: 'Background tasks',
  task: 'Task',
  last_run: 'Last run',
  next_run: 'Next run',
  task_ok: 'Done',
  largest_sites: 'Sites with the most hits in 30 days',
})
