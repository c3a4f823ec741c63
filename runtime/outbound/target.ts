/**
 * Parses targets into one canonical form with the WHATWG URL parser, which normalises decimal, octal, hex and short
 * IPv4, percent-encoding, full-width digits and IDN dots (url.spec.whatwg.org §3.5). Every check uses the parsed form,
 * never the text.
 */
import { isIP } from 'node:net'
import { OutboundError } from './fault.ts'

export interface Host {
  /** For Host, SNI and certificates: a name without a trailing dot, or an address without brackets. */
  readonly name: string
  readonly isAddress: boolean
}

/** @throws OutboundError `invalid_target` unless it is http(s) without user name or password (RFC 3986 §7.5) */
export function targetUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new OutboundError('invalid_target')
  const url = new URL(text, base)
  const plain = url.username === '' && url.password === ''
  if (!plain || !['http:', 'https:'].includes(url.protocol)) throw new OutboundError('invalid_target')
  url.hash = ''
  hostOf(url)
  return url
}

/** @throws OutboundError `invalid_target` */
export function hostOf({ hostname }: URL): Host {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(name) > 0) return { name, isAddress: true }
  if (name === '' || name.length > 253 || name.split('.').some(label => label === '' || label.length > 63)) {
    throw new OutboundError('invalid_target')
  }
  return { name, isAddress: false }
}

/** A host of a tcp or dns check: a name, IPv4, or IPv6 with or without brackets. */
export function bareHost(text: string): Host {
  const host = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text
  // Refuse characters that would end the host in a URL, or that its parser drops silently.
  if (/[\s/?#@\\]|\]./.test(host) || !URL.canParse(`http://${host}/`)) throw new OutboundError('invalid_target')
  const url = new URL(`http://${host}/`)
  if (url.pathname !== '/' || url.port !== '') throw new OutboundError('invalid_target')
  return hostOf(url)
}
