/** The schedule of a stored report. */
import { among } from '../../../runtime/table/schema.ts'
import type { EmailReportRow } from '../../../storage/tables/email-reports.ts'
import { frequencies, type Schedule } from './schedule.ts'

export const scheduleOf = ({ frequency, hour }: Pick<EmailReportRow, 'frequency' | 'hour'>, sites: Schedule['sites']): Schedule => ({
  frequency: among(frequencies, frequency),
  hour,
  sites,
})
