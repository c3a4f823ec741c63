/** Signing certificates of an identity provider. They are checked when they are set, so that a fault is reported at once. */
import { X509Certificate } from 'node:crypto'
import type { Fault } from '../../../runtime/table/errors.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

/** During a change of its certificate, an identity provider may still sign with the old one. */
export const maxCertificates = 2

const block = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g
const fault = (message: Message): Fault => ({ pointer: '/idp_cert', code: 'invalid_format', message })

/**
 * Reads the certificates of a text: PEM, or bare base64 as in metadata.
 * @returns each distinct certificate as PEM, and the reasons for rejecting others
 */
export function certificatesIn(text: string, now: number): { certificates: string[]; faults: Fault[] } {
  const bare = text.replace(/\s+/g, '')
  const blocks = text.match(block) ?? (/^[A-Za-z0-9+/=]+$/.test(bare) ? [wrapped(bare)] : [])
  if (blocks.length === 0 || blocks.length > maxCertificates) {
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

/** Returns the public details of a stored certificate. */
export function aboutCertificate(pem: string): AboutCertificate {
  const { fingerprint256, subject, validTo } = new X509Certificate(pem)
  return { fingerprint: fingerprint256, subject: subject.replaceAll('\n', ', ').slice(0, 300), expires_at: Date.parse(validTo) }
}

/** Joins certificates, newest first: the given ones, then those in use until now. */
export function joined(given: readonly string[], kept: readonly string[]): string[] {
  return [...new Set([...given, ...kept])].slice(0, Math.max(given.length, maxCertificates))
}
