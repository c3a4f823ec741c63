import { form } from '../../../../runtime/ui/form-layout.ts'
import { changeFields, deleteFields, mergeFields } from '../forms.tsx'
import { events_delete, events_merge, events_update } from '../operations.ts'

export const changeEvent = form(events_update, changeFields)
export const deleteEvent = form(events_delete, deleteFields)
export const mergeEvents = form(events_merge, mergeFields)
