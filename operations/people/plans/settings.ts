import { setting, whole } from '../../../runtime/settings/setting.ts'
import { type Plan, readPlans, selfHosted } from './plans-file.ts'

export const PLANS_FILE = setting<readonly Plan[]>({
  default: '',
  description:
    'JSON file with the available plans, of which new workspaces get the first; default: one plan without limits (docs/plans.md)',
  parse: text => (text === '' ? [selfHosted] : readPlans(text)),
  wants: 'the path of a JSON file',
})
export const USAGE_LIMIT = setting({
  default: '0',
  description: 'Monthly hits of a workspace that usage alerts and `usage.threshold` compare with, without PLANS_FILE; 0 = no limit',
  ...whole(0, 1_000_000_000_000),
})
