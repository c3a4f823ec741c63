import { form } from '../../../runtime/ui/form-layout.ts'
import { channelChange, channelFields } from './form.tsx'
import { channels_create, channels_update } from './operations.ts'

export const createChannel = form(channels_create, channelFields)
export const changeChannel = form(channels_update, channelChange)
