/** Facts from a certificate chain: its expiry and its issuer (docs/decisions.md §5). */
import { beginning } from '../../../../runtime/values/clip.ts'
import type { DetailedPeerCertificate } from 'node:tls'

export interface CertificateFacts {
  /** The earliest expiry in the chain, epoch ms. */
  readonly expiresAt: number | null
  readonly issuer: string | null
}

/** The longest real chains have five. */
const maxDepth = 10

export function certificateFacts(leaf: DetailedPeerCertificate): CertificateFacts {
  const ends: number[] = []
  let each: DetailedPeerCertificate | undefined = leaf
  const met = new Set<DetailedPeerCertificate>() // a root is its own issuer
  while (each && !met.has(each) && met.size < maxDepth) {
    met.add(each)
    const end = Date.parse(each.valid_to)
    if (!Number.isNaN(end)) ends.push(end)
    each = each.issuerCertificate
  }
  const name: unknown = leaf.issuer?.O || leaf.issuer?.CN
  const issuer = Array.isArray(name) ? name.join(', ') : name
  return {
    expiresAt: ends.length === 0 ? null : Math.min(...ends),
    issuer: typeof issuer === 'string' ? beginning(issuer.replace(/[\p{Cc}\p{Cs}]/gu, ' '), 200) : null,
  }
}
