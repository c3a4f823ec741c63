/**
 * Undoes a change of the address with a link from the notice to the former address, for a person whose account was
 * taken over. Needs no sign-in, because the person may have no working one.
 */
import { Type } from '@sinclair/typebox'
import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { record } from '../../../runtime/table/schema.ts'
import { endLinks, findLink, linkPath, makeLink, takeLink } from '../links/index.ts'
import { sendNotice } from '../mail/index.ts'
import { browserOf } from '../sessions/index.ts'
import { changeAddress, freeAddress } from './address.ts'
import { m } from './messages.ts'

const Restored = record(
  'AddressRestored',
  {
    email: Type.String({ description: 'E-mail address of the account, as before the change.' }),
    next: Type.String({ description: 'Page to set a new password. Valid once, for an hour.' }),
  },
  'An account that has its former address again.',
)

export const account_email_undo = operation({
  route: 'POST /account/email/undo',
  summary: 'Undo a change of the e-mail address',
  done: 'Address restored.',
  description:
    'Takes the link that was mailed to the former address (valid once, for 7 days). Restores that address, ends all sessions and the password, removes ' +
    'passkeys, second factors, tokens and consents that were set up since the change, and invalidates links that were mailed to other addresses.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'update',
  input: { token: Type.String({ maxLength: 64, description: 'The last path segment of the link.' }) },
  output: Restored,
  secrets: ['token', 'next'],
  form: { page: 'GET /account/email/undo', after: ({ next }: { next: string }) => next },
  examples: [{ input: { token: '{{email_undo_link}}' } }],
  async run({ input, ...services }) {
    const { db, now, request, emit } = services
    const link = await findLink(db, { among: ['email_undo'], secret: input.token, now })
    if (!link || link.email === null || !(await takeLink(db, link))) fail('invalid_state', m.undo_link_ended())
    const { account_id: accountId, account_email: replaced } = link
    await freeAddress(services, { email: link.email, accountId })
    const email = await changeAddress(services, { accountId, email: link.email, isProved: true })
    await emit(account_claimed, { accountId, since: link.created_at })
    await endLinks(db, { accountId, which: ['reset', 'set_up', 'second_factor', 'email'] })
    // Links of later changes would restore the address that this change set.
    await endLinks(db, { accountId, which: ['email_undo'] }, { since: link.created_at })
    await auditPerson(db, { ...services, operation: 'account_email_undo', accountId, actor: email, door: 'link', outcome: 'done' })
    if (replaced !== email) {
      await sendNotice(services, {
        to: replaced,
        reader: email,
        what: m.address_changed_back(),
        browser: say => browserOf(request.header('user-agent') ?? '', say),
        remedy: say => [say(m.change_was_undone)],
      })
    }
    return { email, next: linkPath(await makeLink(services, { kind: 'reset', accountId, email })) }
  },
})
