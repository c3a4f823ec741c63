/** A certificate authority and certificates for the tests' servers. */
import { isIP } from 'node:net'
import 'reflect-metadata'

export interface Signed {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

export interface Authority {
  /** PEM, for clients that should trust it. */
  readonly ca: string
  /** A server's certificate. @param names host names and addresses @param valid default: from a day ago for 90 days */
  sign(names: readonly string[], valid?: { from?: number; until?: number }): Promise<Signed>
}

const day = 86_400_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

/** @param organization name of the issuer */
export async function makeAuthority(organization = 'Footfall Test CA', valid: { until?: number } = {}): Promise<Authority> {
  // Not before reflect-metadata ran: bundled, what is imported from a package would be.
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } =
    await import('@peculiar/x509')
  const keys = await makeKeys()
  const name = `O=${organization}, CN=Root`
  const root = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    serialNumber: '01',
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 365 * day),
    notAfter: new Date(valid.until ?? Date.now() + 365 * day),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  let serial = 1
  return {
    ca: root.toString('pem'),
    async sign(names, { from = Date.now() - day, until = Date.now() + 90 * day } = {}) {
      const own = await makeKeys()
      const cert = await X509CertificateGenerator.create({
        issuer: name,
        subject: `CN=${names[0]}`,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        serialNumber: `0${++serial}`,
        notBefore: new Date(from),
        notAfter: new Date(until),
        extensions: [
          new SubjectAlternativeNameExtension(names.map(value => ({ type: isIP(value) > 0 ? ('ip' as const) : ('dns' as const), value }))),
        ],
      })
      const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', own.privateKey)).toString('base64')
      return { cert: cert.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n` }
    },
  }
}
