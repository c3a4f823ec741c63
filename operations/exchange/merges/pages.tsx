import { form } from '../../../runtime/ui/form-layout.ts'
import { mergeFields } from './form.tsx'
import { sites_merge } from './operations.ts'

export const mergeForm = form(sites_merge, mergeFields)
