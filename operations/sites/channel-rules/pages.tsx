import { form } from '../../../runtime/ui/form-layout.ts'
import { applyFields, channelRuleFields } from './form.tsx'
import { channel_rules_apply, channel_rules_create, channel_rules_update } from './operations.ts'

export const createChannelRule = form(channel_rules_create, channelRuleFields)
export const applyChannelRules = form(channel_rules_apply, applyFields)
export const changeChannelRule = form(channel_rules_update, channelRuleFields)
