import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as seeing from './test-and-preview.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import { email_unsubscribe, email_unsubscribe_page } from './unsubscribe.tsx'

const { email_reports_list, email_reports_get, email_reports_create, email_reports_update, email_reports_delete } = operations
const { email_reports_test, email_reports_preview } = seeing

export default area({
  name: 'Email reports',
  description: 'Reports that Footfall mails every day, week or month.',
  manual: '/documentation/email-reports',
  operations: [
    { email_reports_list, email_reports_get, email_reports_create, email_reports_update, email_reports_delete },
    { email_reports_test, email_reports_preview },
  ],
  views: () => import('./pages.tsx'),
  asked: {
    email_reports_create:
      'weekly email, monthly email, daily email, scheduled report, send the report to my boss, newsletter of figures, digest, mail me the numbers',
    email_reports_list: 'who gets the weekly email, scheduled reports, mailed reports',
    email_reports_test: 'try the email report, send me the report now',
    email_reports_update: 'stop the weekly email, change recipients, unsubscribe somebody',
  },
  endpoints: { email_unsubscribe },
  pages: { email_unsubscribe_page },
  subscribers,
  tasks,
  ids,
  tables: ['email_reports', 'email_report_sites', 'email_report_goals', 'email_report_recipients', 'email_report_mails'],
  sealed: [{ table: 'email_report_recipients', column: 'token', key: ['report_id', 'email'] }],
  example: () => import('./example.ts'),
})
