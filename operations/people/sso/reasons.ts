/** Reasons for refusing a sign-in, with messages for the administrator of the identity provider. */
import { m } from './messages.ts'
import type { Message, Sentence } from '../../../runtime/texts/message.ts'
export const reasons = {
  unknown_request: m.unknown_request,
  other_browser: m.other_browser,
  idp_initiated: m.idp_initiated,
  changed: m.changed,
  inactive: m.inactive,
  incomplete: m.incomplete,
  malformed: m.malformed,
  provider_error: m.provider_error,
  unsigned: m.unsigned,
  signature: m.signature,
  weak_algorithm: m.weak_algorithm,
  encrypted: m.encrypted,
  structure: m.structure,
  issuer: m.issuer,
  audience: m.audience,
  condition: m.condition,
  recipient: m.recipient,
  in_response_to: m.in_response_to,
  clock: m.clock,
  subject: m.subject,
  transient: m.transient,
  email_missing: m.email_missing,
  email_unverified: m.email_unverified,
  domain: m.domain,
  no_member: m.no_member,
  deactivated: m.deactivated,
  owner: m.owner,
  linked_elsewhere: m.linked_elsewhere,
  signed_out: m.signed_out,
  other_subject: m.other_subject,
  no_place: m.no_place,
  discovery: m.discovery,
  token: m.token,
} as const
export type Reason = keyof typeof reasons

export const isReason = (text: string | null): text is Reason => text !== null && Object.hasOwn(reasons, text)

/** Ends a sign-in. Its message says what was wrong, and what was received if that helps. */
export class SsoRefusal extends Error {
  readonly reason: Reason
  readonly sentence: Message

  constructor(reason: Reason, detail?: Sentence) {
    const about = reasons[reason]()
    const sentence = detail === undefined ? about : m.with_detail({ reason: about, detail })
    super(String(sentence))
    this.reason = reason
    this.sentence = sentence
  }
}

export function refuse(reason: Reason, detail?: Sentence): never {
  throw new SsoRefusal(reason, detail)
}
