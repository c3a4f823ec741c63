/** Domains as people read them. */
import { domainToUnicode } from 'node:url'

/** `bücher.example` of `xn--bcher-kva.example`; other domains as they are. */
export const domainText = (domain: string): string => (domain.includes('xn--') ? domainToUnicode(domain) || domain : domain)
