/** Normalizes e-mail domains, and refuses those that a workspace cannot own. */
import { domainToASCII } from 'node:url'
import { getPublicSuffix } from 'tldts'
import { isPublicMailDomain } from './mail-domains.ts'
import type { Message, Term } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** @param field the input that contains it @returns the domain in lower case and ASCII, or why it is refused */
export function readDomain(text: string, field: string | Term): { domain: string } | { wrong: Message } {
  const domain = domainToASCII(text.trim().replace(/^@/, '').replace(/\.$/, '').toLowerCase())
  if (!/^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(domain)) return { wrong: m.domain_malformed({ field }) }
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain) return { wrong: m.domain_of_anyone({ field, domain }) }
  if (isPublicMailDomain(domain)) return { wrong: m.domain_of_mailboxes({ field, domain }) }
  return { domain }
}
