import { form } from '../../../runtime/ui/form-layout.ts'
import { lineFields } from './form.tsx'
import { crawler_requests_create } from './operations.ts'

export const sendLines = form(crawler_requests_create, lineFields)
