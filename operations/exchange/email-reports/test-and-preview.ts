/** Shows a report to its editor as it would be sent now: as a test mail, or as a page. */
import { Type } from '@sinclair/typebox'
import { Failure, fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { DateTime, iso, record } from '../../../runtime/table/schema.ts'
import { canMail, mailer } from '../../people/mail/index.ts'
import { workspaceSettings } from '../../people/workspaces/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { engine } from '../../reports/stats/index.ts'
import { contentOf } from './content.ts'
import { reasonOf } from './deliver.ts'
import { logos } from './logo.ts'
import { fitIntoMail } from './mail/fit-into-mail.ts'
import { messageOf, subjectOf } from './mail/message.ts'
import { reachOf } from './operations.ts'
import { emailReport, type FullReport, ids, noServer } from './records.ts'
import { latestOver } from './schedule.ts'
import { scheduleOf } from './schedule-of-report.ts'
import { sitesOf } from './check-references.ts'
import { saidBy } from './failure-notice.ts'
import { m } from './messages.ts'

const ofReport = { workspace_id: '{{workspace}}', id: '{{email_report}}' }

type Reading = Pick<Services, 'db' | 'now' | 'config' | 'use'>

/** The report of the last complete period. @throws Failure `invalid_state` with the reason */
async function seen(report: FullReport, { db, now, config, use }: Reading) {
  const sites = await sitesOf(db, report.site_ids)
  if (sites.length === 0) fail('invalid_state', m.no_sites())
  const { report_logo_url } = await workspaceSettings(db, report.workspace_id)
  try {
    const period = latestOver(scheduleOf(report, sites), now)
    const content = await contentOf({ report, sites, period, reading: { db, now, engine: use(engine), config } })
    return { content, logo: await use(logos).of(report_logo_url) }
  } catch (thrown) {
    return thrown instanceof Failure ? fail('invalid_state', reasonOf(thrown)) : Promise.reject(thrown)
  }
}

const Tested = record(
  'EmailReportTest',
  {
    to: Type.String({ description: 'Address of the caller, who received it.' }),
    subject: Type.String({ description: 'Subject of the mail.' }),
    sent_at: DateTime({ description: 'Time at which the mail server accepted it.' }),
  },
  'A test mail that the mail server accepted.',
)

export const email_reports_test = operation({
  route: 'POST /workspaces/{workspace_id}/email_reports/{id}/test',
  summary: 'Send an e-mail report to yourself now',
  label: 'Send me a test',
  done: 'E-mail report sent as a test.',
  description:
    'Covers the last complete day, week or month, and goes only to the caller. If the mail server refuses it, the error has the reason.',
  help: 'Covers the last complete day, week or month, and goes only to you. If the mail server refuses it, the error has the reason.',
  access: 'content.write',
  needs: ['analytics.read'],
  reach: ({ email_report }) => reachOf(email_report),
  on: [workspace, emailReport],
  effect: 'update',
  contacts: true,
  rate: 'costly',
  input: {},
  output: Tested,
  examples: [{ input: ofReport }],
  async prepare({ email_report: report, caller, store, now, config, use, newId, log }) {
    const server = use(mailer)
    if (!canMail(config) || !server) fail('invalid_state', noServer)
    const { content, logo } = await seen(report, { db: store.read, now, config, use })
    const mail = {
      id: newId(ids.email_report_mail),
      reportId: report.id,
      to: caller.member.email,
      unsubscribe: null,
      baseUrl: config.BASE_URL,
    }
    try {
      await server.send(await messageOf(content, logo, mail))
    } catch (thrown) {
      log.warn({ report: report.id }, 'a test of an e-mail report could not be sent')
      fail('invalid_state', m.not_taken({ said: saidBy(thrown) }))
    }
    return { tested: { to: mail.to, subject: subjectOf(content), sent_at: iso(now) } }
  },
  run: async ({ tested }) => tested,
})

export const email_reports_preview = operation({
  route: 'GET /workspaces/{workspace_id}/email_reports/{id}/preview',
  summary: 'Preview an e-mail report as HTML',
  description: 'Covers the last complete day, week or month.',
  access: 'analytics.read',
  reach: ({ email_report }) => reachOf(email_report),
  on: [workspace, emailReport],
  effect: 'read',
  answers: text('text/html'),
  input: {},
  output: Type.String({ description: 'The HTML of the mail, with its logo inline.' }),
  examples: [{ input: ofReport }],
  async run({ email_report: report, ...reading }) {
    const { content, logo } = await seen(report, reading)
    const { html } = await fitIntoMail(content, {
      subject: subjectOf(content),
      footer: [content.say(m.preview_note)],
      unsubscribe: null,
      isPreview: true,
      logo: logo && `data:${logo.type};base64,${logo.bytes.toString('base64')}`,
    })
    return html
  },
})
