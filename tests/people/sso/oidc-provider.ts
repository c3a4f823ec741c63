/** OpenID providers over HTTP on this machine: `oidc-provider`, and one that answers whatever a test wants. */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  readonly issuer: string
  close(): Promise<void>
}

async function listening(handler: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<Listening & { server: Server }> {
  const server = createServer(handler)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref() // a test that fails leaves nothing waiting
  return {
    server,
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const callback = 'http://footfall.test/sso/oidc/callback'

/** The real provider. Every sign-in is for this person. */
export interface RealProvider extends Listening {
  /** Signs the person out, and says so to the service. */
  signOut(): Promise<void>
}

/** What it says to the service by itself: where, and how that is sent. */
export interface Telling {
  readonly logoutUri: string
  fetch(url: string | URL | Request, options?: RequestInit): Promise<Response>
}

export async function startOidcProvider(
  person: Readonly<Record<string, unknown>> & { sub: string },
  telling?: Telling,
): Promise<RealProvider> {
  const { Provider } = await import('../../../tools/oidc-provider.mjs')
  let handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void = () => {}
  const server = await listening((incoming, outgoing) => handle(incoming, outgoing))
  const warn = console.warn
  console.warn = () => {} // of keys for development
  const provider = new Provider(server.issuer, {
    clients: [
      {
        client_id: 'c1',
        client_secret: 'a-client-secret-of-32-characters',
        redirect_uris: [callback],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        ...(telling && { backchannel_logout_uri: telling.logoutUri }),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    conformIdTokenClaims: false,
    ...(telling && { fetch: telling.fetch }),
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: telling !== undefined } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_: unknown, accountId: string) => ({ accountId, claims: async () => person }),
    cookies: { keys: ['test'] },
    async loadExistingGrant(ctx: {
      oidc: {
        provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> } }
        client: { clientId: string }
        session: { accountId: string }
      }
    }) {
      const { client, session } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  console.warn = warn
  const inner = provider.callback()
  handle = (incoming, outgoing) => {
    if (incoming.url?.startsWith('/interaction/'))
      void provider.interactionFinished(incoming, outgoing, { login: { accountId: person.sub } })
    else inner(incoming, outgoing)
  }
  return {
    ...server,
    async signOut() {
      const client = await provider.Client.find('c1')
      await client.backchannelLogout(person.sub, undefined)
    },
  }
}

/** Follows a provider's pages as a browser does. @returns where it sends the browser back to */
export async function throughProvider(location: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = location
  for (let hop = 0; hop < 12; hop++) {
    if (url.startsWith(callback)) return url
    const answer: Response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${answer.status} ${await answer.text()}`)
    url = new URL(next, url).href
  }
  throw new Error('too many redirects')
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface Forging {
  /** Of the ID token. */
  header: Record<string, unknown>
  claims: Record<string, unknown>
  key: KeyObject | Buffer | 'none'
  /** Of the discovery document, the keys, and the answer of the token endpoint. */
  discovery: Record<string, unknown>
  keys: object[]
  token: Record<string, unknown>
  status: number
}

export interface OwnProvider extends Listening {
  /** The answers from now on. */
  forge(change: Partial<Forging>): void
  readonly key: KeyObject
  /** The public key, as an attacker would use it for a secret. */
  readonly publicPem: string
  /** The token that it signs now. */
  token(): string
  /** Bodies that the token endpoint got. */
  readonly asked: URLSearchParams[]
}

/** Returns the given answers. */
export async function startOwnProvider(): Promise<OwnProvider> {
  const pem = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const privateKey = createPrivateKey(pem.privateKey)
  const jwk = { ...createPublicKey(pem.publicKey).export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }
  let forged: Forging = { header: {}, claims: {}, key: privateKey, discovery: {}, keys: [jwk], token: {}, status: 200 }
  const asked: URLSearchParams[] = []
  const server = await listening((incoming, outgoing) => {
    let body = ''
    incoming.on('data', chunk => (body += String(chunk)))
    incoming.on('end', () => {
      const path = incoming.url ?? ''
      if (path.startsWith('/token')) asked.push(new URLSearchParams(body))
      const answer = path.startsWith('/.well-known')
        ? { ...documentOf(server.issuer), ...forged.discovery }
        : path === '/jwks'
          ? { keys: forged.keys }
          : { access_token: 'at', token_type: 'Bearer', expires_in: 60, id_token: idToken(forged), ...forged.token }
      outgoing
        .writeHead(path.startsWith('/token') ? forged.status : 200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answer))
    })
  })
  return {
    ...server,
    key: privateKey,
    publicPem: pem.publicKey,
    asked,
    token: () => idToken(forged),
    forge(change) {
      forged = { header: {}, claims: {}, key: privateKey, discovery: {}, keys: [jwk], token: {}, status: 200, ...change }
    },
  }
}

const documentOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
})

function idToken({ header, claims, key }: Forging): string {
  const signedPart = `${part({ alg: 'RS256', kid: 'k1', typ: 'JWT', ...header })}.${part(claims)}`
  if (key === 'none') return `${signedPart}.`
  const signature = Buffer.isBuffer(key)
    ? createHmac('sha256', key).update(signedPart).digest()
    : sign('sha256', Buffer.from(signedPart), key)
  return `${signedPart}.${signature.toString('base64url')}`
}
