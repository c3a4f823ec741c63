/** Checks the attributes of a user, without the empty ones. */
import { failWith } from '../../../runtime/table/errors.ts'
import { faultsOf } from '../../../runtime/table/validate.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { ScimAttributes } from './attributes.ts'
import { emailsOf } from './values.ts'

/** @throws Failure `validation_failed` naming invalid attributes */
export function checked(attributes: unknown): ScimAttributes {
  const whole = isObject(attributes) ? withoutEmpty(attributes) : {}
  failWith(faultsOf(ScimAttributes, whole))
  return whole as ScimAttributes // checked above
}

function withoutEmpty(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { emails, ...rest } = attributes
  const kept = Object.entries(rest).filter(([, value]) => value !== null && value !== '' && !(isObject(value) && isEmpty(value)))
  return { ...Object.fromEntries(kept), ...(Array.isArray(emails) && { emails: emailsOf(emails) }) }
}
const isEmpty = (value: object): boolean => Object.keys(value).length === 0
