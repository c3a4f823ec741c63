/** Certificates that an identity provider signs with: read when they are given, so that a wrong one is told at once. */
import { X509Certificate } from 'node:crypto'
import type { Fault } from '../../../runtime/table/errors.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

/** An identity provider that changes its certificate signs with the old one until it is done. */
export const mostCertificates = 2

const block = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g
const fault = (message: Message): Fault => ({ pointer: '/idp_cert', code: 'invalid_format', message })

/**
 * The certificates in a text: PEM, or the base64 alone as metadata has it.
 * @returns each as PEM, as often as it differs; or why they will not do
 */
export function certificatesIn(text: string, now: number): { certificates: string[]; faults: Fault[] } {
  const bare = text.replace(/\s+/g, '')
  const blocks = text.match(block) ?? (/^[A-Za-z0-9+/=]+$/.test(bare) ? [wrapped(bare)] : [])
  if (blocks.length === 0 || blocks.length > mostCertificates) {
    return { certificates: [], faults: [fault(m.certificate_count({ received: blocks.length }))] }
  }
  const read = blocks.map(readOne)
  const faults = read.flatMap(each => (each === undefined ? [fault(m.certificate_unreadable())] : weaknessOf(each, now)))
  return { certificates: faults.length > 0 ? [] : [...new Set(read.map(each => each?.toString() ?? ''))], faults }
}

function readOne(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}

const wrapped = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

function weaknessOf({ publicKey, validTo }: X509Certificate, now: number): Fault[] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey
  const ends = Date.parse(validTo)
  const faults: Fault[] = []
  if (type !== 'rsa' && type !== 'ec') faults.push(fault(m.certificate_key_type({ received: type ?? 'unknown' })))
  if (type === 'rsa' && (details?.modulusLength ?? 0) < 2_048)
    faults.push(fault(m.certificate_key_size({ received: details?.modulusLength ?? 0 })))
  if (ends <= now) faults.push(fault(m.certificate_expired({ at: new Date(ends).toISOString() })))
  return faults
}

export interface AboutCertificate {
  readonly fingerprint: string
  readonly subject: string
  readonly expires_at: number
}

/** The public facts of a stored certificate. */
export function aboutCertificate(pem: string): AboutCertificate {
  const { fingerprint256, subject, validTo } = new X509Certificate(pem)
  return { fingerprint: fingerprint256, subject: subject.replaceAll('\n', ', ').slice(0, 300), expires_at: Date.parse(validTo) }
}

/** The newest first: those given, then the one in use until now. */
export function joined(given: readonly string[], kept: readonly string[]): string[] {
  return [...new Set([...given, ...kept])].slice(0, Math.max(given.length, mostCertificates))
}
