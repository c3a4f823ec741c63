/** Keys and certificates of identity providers, made for a test. */
import { webcrypto } from 'node:crypto'
import 'reflect-metadata'

/** Not before reflect-metadata ran: bundled, what is imported from a package would be. */
async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto as never)
  return x509
}

export interface Signer {
  /** PKCS #8, PEM. */
  readonly key: string
  /** PEM. */
  readonly certificate: string
}

/** @param bits of the RSA key */
export async function makeSigner({
  name = 'idp',
  from = Date.parse('2026-01-01'),
  until = Date.parse('2027-01-01'),
  bits = 2_048,
}: {
  name?: string
  from?: number
  until?: number
  bits?: number
} = {}): Promise<Signer> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: bits }
  const x509 = await loadX509()
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(from),
    notAfter: new Date(until),
    signingAlgorithm: algorithm,
    keys: keys as never,
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
    certificate: certificate.toString('pem'),
  }
}
