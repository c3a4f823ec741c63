import { form } from '../../../runtime/ui/form-layout.ts'
import { segmentFields } from './form.tsx'
import { segments_create, segments_update } from './operations.ts'

export const createSegment = form(segments_create, segmentFields)
export const changeSegment = form(segments_update, segmentFields)
