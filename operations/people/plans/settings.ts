import { setting, whole } from '../../../runtime/settings/setting.ts'
import { type Plan, readPlans, selfHosted } from './plans-file.ts'

export const PLANS_FILE = setting<readonly Plan[]>({
  default: '',
  description:
    'JSON file with the plans that workspaces can have, the first for new ones; default: one plan without limits (docs/plans.md)',
  parse: text => (text === '' ? [selfHosted] : readPlans(text)),
  wants: 'the path of a JSON file',
})
export const USAGE_LIMIT = setting({
  default: '0',
  description: 'Hits a month of a workspace that usage alerts and `usage.threshold` count towards, without PLANS_FILE; 0 = no limit',
  ...whole(0, 1_000_000_000_000),
})
