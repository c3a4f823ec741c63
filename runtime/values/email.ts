/** E-mail addresses: what is one, and the one form in which each is kept and compared. */
import { domainToASCII } from 'node:url'

/** No quotes, nothing that a list of addresses or a header is made of, nothing that cannot be seen (RFC 5322 §3.4.1, RFC 6531 §3.3). */
const local = /^[^\s@"(),:;<>[\\\]\p{C}]{1,64}$/u
/** At least two labels of letters, digits and hyphens (RFC 1123 §2.1); some have underscores. */
const host = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return text.length <= 254 && local.test(text.slice(0, at)) && host.test(domainOf(text))
}

/** Characters that a parser of addresses would cut off, decode or drop before it reads a domain. */
const foreign = /[\s/?#:@\\%[\]\p{C}]/u

/** The domain of an address in small letters and ASCII, as browsers send names in other scripts (RFC 5891); empty if there is none. */
export function domainOf(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return foreign.test(domain) ? '' : domainToASCII(domain.toLowerCase())
}

/**
 * Small letters, composed, and the domain in ASCII. `Ada@München.example` and `ada@xn--mnchen-3ya.example` are one mailbox:
 * a form sends the second where an invitation was written to the first. Mails are sent only to this form, so that no person receives a
 * mail for an address that merely turns into theirs (`K`, the sign for kelvin, is `k` in small letters).
 */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at).toLowerCase().normalize('NFC')}@${domainOf(email)}`
}
