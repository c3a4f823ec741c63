import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { DateTime, iso, record } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { destinationOf } from './logins.ts'
import { forwarding } from './pages.tsx'
import { SsoRefusal } from './reasons.ts'
import { configured, draftOf, statusOf } from './records.ts'
import { keepRequest, newRequestId, requestMs, secretFor } from './requests.ts'
import { save } from './save.ts'
import { m } from './messages.ts'

const SsoTest = record(
  'SsoTest',
  {
    url: Type.String({ description: 'URL to open in the browser to sign in.' }),
    expires_at: DateTime({ description: 'Time by which the sign-in must be finished.' }),
  },
  'The start of a test.',
)

export const sso_test = operation({
  route: 'POST /workspaces/{workspace_id}/sso/test',
  summary: 'Test single sign-on',
  done: 'Test of single sign-on started.',
  description:
    'Begins a sign-in in this browser that starts no session. The test succeeds if a person of a verified domain finishes it within ten minutes; ' +
    'otherwise, the configuration is a draft, and `test_error` contains the reason.',
  access: 'workspace.manage',
  on: locked(configured),
  surfaces: ['http'],
  effect: 'update',
  offered: { status: ['draft', 'testing', 'tested'] },
  input: {},
  output: SsoTest,
  form: { page: 'GET /workspaces/{workspace_id}/sso/test', after: ({ url }: { url: string }, _, say) => forwarding(url, say) },
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async prepare({ store, workspace: { id: workspaceId, sso }, request, config, random, use, now }) {
    const row = sso ?? draftOf(workspaceId, now)
    if (statusOf(row, now) === 'active') fail('invalid_state', m.active_cannot_be_tested())
    const id = newRequestId(random)
    const { secret, cookie } = secretFor(request, config, random)
    try {
      return {
        asking: {
          id,
          secret,
          cookie,
          url: await destinationOf(store.read, { machine: { config, use }, row, id, secret }),
          of: row.updated_at,
        },
      }
    } catch (thrown) {
      return thrown instanceof SsoRefusal ? fail('invalid_state', thrown.sentence) : Promise.reject(thrown)
    }
  },
  async run({ db, workspace: { sso }, now, setCookie, asking }) {
    if (sso?.updated_at !== asking.of || statusOf(sso, now) === 'active') fail('invalid_state', m.changed_meanwhile())
    const row = { ...sso, status: 'testing', testing_until: now + requestMs, tested_at: null, test_error: null, updated_at: now }
    await keepRequest(db, { ...asking, row, isTest: true, next: null, now })
    await save(db, row)
    setCookie(asking.cookie)
    return { url: asking.url, expires_at: iso(now + requestMs) }
  },
})
