/** Why a sign-in was not accepted, in words for whoever looks after the identity provider. */
export const reasons = {
  unknown_request: 'This sign-in was not begun here, was used already, or took longer than ten minutes. Begin again.',
  other_browser: 'This sign-in was begun in another browser. Begin again in this one, and allow its cookies.',
  idp_initiated: 'The identity provider began this sign-in by itself. Begin at the sign-in page of this service.',
  changed: 'The configuration changed during a sign-in. Begin again.',
  inactive: 'Single sign-on of this workspace is not active.',
  incomplete: 'The configuration is not complete.',
  malformed: 'The answer of the identity provider cannot be read.',
  provider_error: 'The identity provider refused the sign-in.',
  unsigned: 'The assertion is not signed. Let the identity provider sign assertions, not only the response.',
  signature:
    'The signature is not made with the certificate that is stored here. Copy the signing certificate of the identity provider again.',
  weak_algorithm: 'The signature uses an algorithm that is not safe any more. Choose SHA-256 at the identity provider.',
  encrypted: 'The assertion is encrypted. Switch encryption off at the identity provider: the connection is encrypted already.',
  structure: 'The answer has more or other parts than one assertion.',
  issuer: 'The answer comes from another issuer than the configured one.',
  audience: 'The answer is for another audience. Enter the entity id of this service at the identity provider.',
  condition: 'The answer has a condition that this service does not know. Take it out at the identity provider.',
  recipient: 'The answer is for another address. Enter the assertion consumer service of this service at the identity provider.',
  in_response_to: 'The answer belongs to another sign-in.',
  clock: 'The answer is not valid at this time. The clocks of the identity provider and of this service differ.',
  subject: 'The answer does not say who signed in.',
  transient: 'The identity provider gives another NameID at every sign-in. Choose a persistent one, or the e-mail address.',
  email_missing: 'The answer has no e-mail address. Add it to the attributes or claims that the identity provider sends.',
  email_unverified: 'The identity provider does not say that the e-mail address is verified. Let it send the claim email_verified: true.',
  domain: 'The e-mail address belongs to no verified domain of this workspace.',
  no_member: 'Nobody is a member with this address, and members are not made at sign-in. Ask an administrator of the workspace.',
  deactivated: 'This member is deactivated.',
  owner: 'Owners sign in with a password or a passkey, unless they have linked their account to the identity provider themselves.',
  linked_elsewhere: 'The identity that you came back with belongs to another account here.',
  signed_out: 'You are not signed in any more as the owner who began this. Begin again.',
  other_subject: 'This e-mail address already belongs to another person at the identity provider.',
  no_place: 'The plan of this workspace has no place for another member, or is not paid. Ask an owner of the workspace.',
  discovery: 'The discovery document of the issuer cannot be used.',
  token: 'The identity provider did not confirm the sign-in.',
} as const
export type Reason = keyof typeof reasons

export const isReason = (text: string | null): text is Reason => text !== null && Object.hasOwn(reasons, text)

/** Ends a sign-in. Its message says what was wrong, and what was received, where that helps. */
export class SsoRefusal extends Error {
  readonly reason: Reason

  constructor(reason: Reason, detail?: string) {
    super(detail === undefined ? reasons[reason] : `${reasons[reason]} ${detail}`.slice(0, 600))
    this.reason = reason
  }
}

export function refuse(reason: Reason, detail?: string): never {
  throw new SsoRefusal(reason, detail)
}
