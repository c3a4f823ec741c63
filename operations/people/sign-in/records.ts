/** Answers of signing in. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { OneOf, record } from '../../../runtime/table/schema.ts'

export const ids = { reset_request: idKind('rst_') }

export const SignIn = record(
  'SignIn',
  {
    status: OneOf(['signed_in', 'code_required'], {
      description:
        '`signed_in`: the answer sets the cookie of the session. `code_required`: the password is right, and the account has a second ' +
        'factor; the answer sets a cookie for ten minutes, with which `code` or `recovery_code` is sent alone.',
    }),
  },
  'How far a sign-in has come.',
)

export const Done = record('SignInDone', { done: Type.Boolean({ description: 'True.' }) }, 'It was done, or there was nothing to do.')
