/** Messages of the audit log. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('audit', {
  audit_says: 'What was done, the latest first',
  what: 'What',
  who: 'Who',
  how: 'How',
  refused: 'refused',
  details: 'Details',
  operation: 'Operation',
  request: 'Request',
  restore: 'Restore',
  changed_field: 'Field',
  before: 'Before',
  after: 'After',
  operator: 'Operator of the installation',
})

/** Entries that are written by no operation of this id, or for another reason. */
const others = messages('audit_entry', {
  link_created: 'Sign-in link created',
  token_issued: 'Access given to a client',
  token_revoked: 'Access of a client ended',
  sso_login: 'Signed in by single sign-on',
  sso_linked: 'Account linked',
  sso_logout: 'Signed out by single sign-on',
  plan_assigned: 'Plan assigned',
  affiliate_approved: 'Affiliate approved',
  affiliate_rejected: 'Affiliate rejected',
  affiliate_suspended: 'Affiliate suspended',
  token_refused: 'Give access to a client',
  sso_refused: 'Sign in by single sign-on',
})
/** By the id of the operation; or, if that is not enough, by the credential or the outcome and the id. */
export const elsewhere = {
  'command passwords_reset': others.link_created,
  oauth_token: others.token_issued,
  oauth_revoke: others.token_revoked,
  sso_login: others.sso_login,
  sso_linked: others.sso_linked,
  sso_logout: others.sso_logout,
  plans_assign: others.plan_assigned,
  affiliates_approve: others.affiliate_approved,
  affiliates_reject: others.affiliate_rejected,
  affiliates_suspend: others.affiliate_suspended,
  'refused oauth_token': others.token_refused,
  'refused sso_login': others.sso_refused,
} as const

/** The ways by which a caller came in. */
export const doorNames = messages('value', {
  session: 'session',
  setup: 'setup',
  command: 'command',
  'sign-in-link': 'sign-in-link',
  oauth: 'oauth',
})

/** Fields of entries that no operation has: what commands on the machine note. */
export const fieldNames = messages('field', { reset_two_factor: 'Reset two factor' })
