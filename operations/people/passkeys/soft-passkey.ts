/** A software authenticator for tests: creates a key and signs with it, according to WebAuthn Level 3 §6 and §7. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]) // CBOR, up to 23 characters
const bytes = (value: Buffer): Buffer => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value])

export interface SoftPasskey {
  readonly id: string
  /** Returns what `navigator.credentials.create` returns. */
  create(challenge: string): { clientDataJSON: string; attestationObject: string }
  /** Returns what `navigator.credentials.get` returns. */
  get(challenge: string): { clientDataJSON: string; authenticatorData: string; signature: string }
}

/** @param verified whether the device has verified the person */
export function softPasskey(
  origin: string,
  { verified = true, credential = sha256(String(Math.random())) }: { verified?: boolean; credential?: Buffer } = {},
): SoftPasskey {
  // Encoded at once: exporting a new key can hang Node 20 forever if garbage collection runs in between.
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const rp = sha256(new URL(origin).hostname)
  const flags = 0x01 | (verified ? 0x04 : 0)
  const counter = Buffer.alloc(4)
  /** The encoded key ends with the point: x and y, 32 bytes each (SEC 1 §2.3.3). */
  const coordinate = (from: number, to?: number) => Buffer.concat([Buffer.from([0x58, 32]), publicKey.subarray(from, to)])
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    coordinate(-64, -32),
    Buffer.from([0x22]),
    coordinate(-32),
  ])
  const client = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  return {
    id: credential.toString('base64url'),
    create(challenge) {
      const length = Buffer.from([credential.length >> 8, credential.length & 0xff])
      const data = Buffer.concat([rp, Buffer.from([flags | 0x40]), counter, Buffer.alloc(16), length, credential, key])
      const object = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ])
      return { clientDataJSON: client('webauthn.create', challenge).toString('base64url'), attestationObject: object.toString('base64url') }
    },
    get(challenge) {
      const [data, said] = [Buffer.concat([rp, Buffer.from([flags]), counter]), client('webauthn.get', challenge)]
      return {
        clientDataJSON: said.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(said)]), privateKey).toString('base64url'),
      }
    },
  }
}
