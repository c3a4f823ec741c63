import { form } from '../../../../runtime/ui/form-layout.ts'
import { changeFields, mergeFields } from '../forms.tsx'
import { events_merge, events_update } from '../operations.ts'

export const changeEvent = form(events_update, changeFields)
export const mergeEvents = form(events_merge, mergeFields)
