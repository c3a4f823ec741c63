import { form } from '../../../runtime/ui/form-layout.ts'
import { channelRuleFields } from './form.tsx'
import { channel_rules_create, channel_rules_update } from './operations.ts'

export const createChannelRule = form(channel_rules_create, channelRuleFields)
export const changeChannelRule = form(channel_rules_update, channelRuleFields)
