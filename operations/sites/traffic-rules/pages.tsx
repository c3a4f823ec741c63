import { form } from '../../../runtime/ui/form-layout.ts'
import { ruleFields } from './form.tsx'
import { traffic_rules_create, traffic_rules_update } from './operations.ts'

export const createRule = form(traffic_rules_create, ruleFields)
export const changeRule = form(traffic_rules_update, ruleFields)
