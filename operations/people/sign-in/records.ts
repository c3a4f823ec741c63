/** Responses of the sign-in operations. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { OneOf, record } from '../../../runtime/table/schema.ts'

export const ids = { reset_request: idKind('rst_') }

export const SignIn = record(
  'SignIn',
  {
    status: OneOf(['signed_in', 'code_required'], {
      description:
        '`signed_in`: the response sets the session cookie. `code_required`: the password is right, and the account has a second ' +
        'factor; the response sets a cookie for ten minutes. With it, send only `code` or `recovery_code`.',
    }),
  },
  'State of a sign-in.',
)

export const Done = record(
  'SignInDone',
  { done: Type.Boolean({ description: 'True.' }) },
  'The action is done, or there was nothing to do.',
)
