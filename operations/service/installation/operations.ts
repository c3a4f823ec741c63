import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { m } from './messages.ts'
import { isOperator } from './operators.ts'
import { Installation } from './records.ts'

export const installation_get = operation({
  route: 'GET /installation',
  summary: 'See the state of the installation',
  title: 'Installation',
  description:
    'Version, database, backups, mail, background tasks and the sites with the most hits. Only for the operators, whom `OPERATORS` names.',
  help: 'The state of this installation, for its operators.',
  access: 'session',
  ofPerson: true,
  effect: 'read',
  input: {},
  output: Installation,
  examples: [{ input: {} }],
  async run({ db, store, config, caller, now, use }) {
    if (caller.signedInBy !== undefined) fail('reauthentication_required', m.not_by_sso())
    if (!(await isOperator(db, config, caller))) fail('permission_denied', m.only_operators())
    const { readState } = await import('./state.ts')
    return readState({ db, store, config, now, use })
  },
})
