import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { DateTime, iso, OneOf, record } from '../../../runtime/table/schema.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { sayEnglish } from '../../../runtime/texts/say.ts'
import { queueMail } from '../../people/mail/index.ts'
import { isOperator } from '../installation/index.ts'
import { Help } from './records.ts'
import { FEEDBACK_EMAIL } from './settings.ts'

export const ids = { feedback: idKind('fbk_') }

const kinds = ['problem', 'idea', 'question', 'praise'] as const
const fields = {
  kind: OneOf(kinds, { description: 'Kind of feedback.' }),
  message: Type.String({ minLength: 1, maxLength: 4_000, description: 'Text of the feedback.' }),
}
const Feedback = record(
  'Feedback',
  { id: Type.String({ description: 'Prefix `fbk_`.' }), ...fields, created_at: DateTime({ description: 'When it was sent.' }) },
  'Feedback on the service, for its operator.',
)

export const help_get = operation({
  route: 'GET /help',
  summary: 'Find help: manual, reference, version, contact',
  access: 'account',
  effect: 'read',
  input: {},
  output: Help,
  examples: [{ input: {} }],
  async run({ config, db, caller }) {
    const isOwn = await isOperator(db, config, caller)
    const at = (path: string) => config.BASE_URL + path
    return {
      version: manifest.version,
      documentation_url: at('/documentation'),
      search_url: at('/documentation/search'),
      reference_url: at('/docs'),
      openapi_url: at('/openapi.json'),
      mcp_url: at('/mcp?toolsets=everyday'),
      installation_url: isOwn ? at('/installation') : null,
      feedback_email: config.of(FEEDBACK_EMAIL) || null,
    }
  },
})

export const feedback_create = operation({
  route: 'POST /feedback',
  summary: 'Send feedback to the operator',
  label: 'Send feedback',
  done: 'Feedback sent.',
  access: 'account',
  effect: 'create',
  contacts: true,
  linkedFrom: '/help',
  rate: 'costly',
  input: fields,
  output: Feedback,
  examples: [{ input: { kind: 'idea', message: 'A dashboard for the kitchen.' } }],
  async run(services) {
    const { db, caller, input, now, newId, config } = services
    const { kind, message } = input
    const { accountId } = caller.member
    const row = { id: newId(ids.feedback), account_id: accountId, kind, message, created_at: now }
    await db.insertInto('feedback').values(row).execute()
    const to = config.of(FEEDBACK_EMAIL)
    if (to !== '') {
      const { email } = await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()
      await queueMail(services, { to, say: sayEnglish, subject: `Feedback: ${kind}`, text: [message, `From: ${email}\nNumber: ${row.id}`] })
    }
    return { id: row.id, kind, message, created_at: iso(now) }
  },
})
