/**
 * The key that signs our logout messages, as their profile requires (SAML Profiles §4.4.4.1): an RSA
 * key, and a self-issued certificate, for identity providers that need one (RFC 5280 §4.1).
 */
import { generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { DAY_MS } from '../../../storage/values/durations.ts'

export interface SigningKey {
  /** PKCS #8, PEM. */
  readonly key: string
  /** PEM. */
  readonly certificate: string
}

const validMs = 10 * 365 * DAY_MS

/** Takes a tenth of a second, off the main thread. @param now epoch ms from which the certificate is valid, for ten years */
export async function makeSigningKey(now: number): Promise<SigningKey> {
  // Encoded at once: exporting a new key can hang Node 20 forever if garbage collection runs in between.
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const certificate = selfIssued(privateKey, publicKey, now)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return {
    key: privateKey,
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  }
}

/** @param privateKey PEM @param publicKey DER */
function selfIssued(privateKey: string, publicKey: Uint8Array, now: number): Buffer {
  const algorithm = sequence(element(OID, Buffer.from('2a864886f70d01010b', 'hex')), element(NULL)) // sha256WithRSAEncryption
  const commonName = sequence(element(OID, Buffer.from('550403', 'hex')), element(UTF8, Buffer.from('Footfall single sign-on')))
  const name = sequence(element(SET, commonName))
  const body = sequence(
    element(VERSION, element(INTEGER, Buffer.from([2]))), // 2 means version 3
    element(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(now), time(now + validMs)),
    name,
    publicKey,
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]) // without unused bits
  return sequence(body, algorithm, element(BITS, signature))
}

const [INTEGER, BITS, NULL, OID, UTF8, UTC, TIME, SEQUENCE, SET, VERSION] = [2, 3, 5, 6, 0x0c, 0x17, 0x18, 0x30, 0x31, 0xa0]

/** DER: a tag, the length of the content, and the content (X.690 §8.1). */
function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

function sequence(...content: readonly Uint8Array[]): Buffer {
  return element(SEQUENCE, ...content)
}

/** Writes a time with a two-digit year, as required until 2049 (RFC 5280 §4.1.2.5). */
function time(at: number): Buffer {
  const text = `${new Date(at).toISOString().replace(/[-:T]|\..*/g, '')}Z`
  return text < '2050' ? element(UTC, Buffer.from(text.slice(2))) : element(TIME, Buffer.from(text))
}
