/** Views made for a purpose, by the record that they show (`[Site]`: a list of it). What has none is shown by its schema. */
import { affiliate, commissions, signupBox } from './affiliate.tsx'
import { audit } from './audit.tsx'
import { billing } from './billing.tsx'
import { conversation } from './conversation.tsx'
import { conversations } from './conversations.tsx'
import { plan } from './plan.tsx'
import { search } from './search.tsx'
import { sharedLink, sharedLinks } from './shared-link.tsx'
import { sso, ssoDomains } from './sso.tsx'
import { tokens } from './tokens.tsx'
import type { View } from './view.ts'

export const views: Readonly<Record<string, View>> = {
  Conversation: conversation,
  '[ListedConversation]': conversations,
  '[AuditEntry]': audit,
  '[ApiToken]': tokens,
  WorkspacePlan: plan,
  Billing: billing,
  Affiliate: affiliate,
  '[AffiliateCommission]': commissions,
  AffiliateSignupBox: signupBox,
  SearchResults: search,
  SharedLink: sharedLink,
  '[SharedLink]': sharedLinks,
  SsoConfiguration: sso,
  '[SsoDomain]': ssoDomains,
}
