/** Sends a form: calls its operation once for each key, also after a double click. */
import { type Answer, isRefusal } from '../../runtime/table/answer.ts'
import type { App, CallRequest } from '../../runtime/app.ts'
import { anonymous } from '../../runtime/call/idempotency-keys.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { addressOf, headerOf, requestId } from '../http/web.ts'
import type { PageAsk } from './call-operation.ts'
import { submissionKey } from './form-keys.ts'

export interface Submission {
  readonly answer: Answer
  /** Name of the answer in the address that follows. */
  readonly key: string
}

interface Sending {
  readonly operation: NamedOperation
  readonly c: PageAsk
  /** The fields as they were sent, and what they mean. */
  readonly typed: URLSearchParams
  readonly input: Readonly<Record<string, unknown>>
  readonly precondition: CallRequest['precondition']
}

export async function send(app: App, { operation, c, typed, input, precondition }: Sending): Promise<Submission> {
  const path: Readonly<Record<string, string>> = c.req.param()
  const key = await submissionKey(app, { operation, path, typed })
  const answer = await app.call({
    operation,
    surface: 'pages',
    header: name => headerOf(c, name),
    ip: addressOf(c, app),
    id: requestId(c),
    idempotencyKey: key,
    isForm: true,
    precondition,
    path,
    input: () => ({ ...input }),
  })
  return { answer: await orDoneBefore(app, { operation, key, answer }), key }
}

/** Returns the first answer if a second click no longer finds the deleted record. */
async function orDoneBefore(
  app: App,
  { operation, key, answer }: { operation: NamedOperation; key: string; answer: Answer },
): Promise<Answer> {
  if (!isRefusal(answer) || (answer.status !== 404 && answer.status !== 403)) return answer
  const done = await app.answerToForm({ token_id: answer.caller?.credentialId ?? anonymous, operation: operation.id, key })
  if (!done) return answer
  const { place = answer.place, ...body } = done
  return { ...answer, status: operation.status, body, kind: operation.answers, ...(place && { place }) }
}
