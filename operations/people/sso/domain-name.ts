/** The one form of an e-mail domain, and what is none that a workspace may have for itself. */
import { domainToASCII } from 'node:url'
import { getPublicSuffix } from 'tldts'
import { isPublicMailDomain } from './mail-domains.ts'

/** @returns why it will not do, in words that follow the name of a field; otherwise the domain in small letters and ASCII */
export function readDomain(text: string): { domain: string } | { wrong: string } {
  const domain = domainToASCII(text.trim().replace(/^@/, '').replace(/\.$/, '').toLowerCase())
  if (!/^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(domain))
    return { wrong: 'must be a domain name like example.com' }
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
    return { wrong: `must be a domain of its own: anyone may register a name under ${domain}` }
  if (isPublicMailDomain(domain)) return { wrong: `must be a domain of the company: anyone may have an address at ${domain}` }
  return { domain }
}
