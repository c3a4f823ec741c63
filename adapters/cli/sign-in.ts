/** `footfall login` and `footfall logout`: OAuth with PKCE in the user's browser, whose answer comes back on a loopback port. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { parseArgs } from 'node:util'
import * as oauth from 'oauth4webapi'
import { isObject } from '../../runtime/values/json.ts'
import { authorizationServer, requestOptions, revoke, tokensOf } from './grant.ts'
import {
  isProfileName,
  isSameServer,
  isServerAddress,
  profileNamed,
  profilesFile,
  readProfiles,
  withoutTokens,
  withProfile,
  writeProfiles,
} from './profiles.ts'
import { exits, type Terminal } from './terminal.ts'

const usage = `Usage: footfall login [profile] --server <url> [--permissions all|<name,name>] [--no-browser]
       footfall logout [profile]

Opens a page of the server in your browser, where you sign in and allow what the command line may do, and keeps the tokens
in a profile. Without --permissions it asks for the permissions of everyday work. "footfall logout" ends it, at the server as well.

Examples:
  footfall login --server https://stats.example.com
  # Another profile, only to read, on a machine without a browser
  footfall login reports --server https://stats.example.com --permissions analytics.read --no-browser
  footfall logout reports
`
/** Time to sign in and consent. */
const SIGN_IN_MS = 10 * 60_000

export async function signIn(words: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      permissions: { type: 'string' },
      'no-browser': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    terminal.out(usage)
    return exits.done
  }
  const { env, home, out, fetch } = terminal
  const file = profilesFile(env, home)
  const kept = readProfiles(file)
  const name = positionals[0] ?? env.FOOTFALL_PROFILE ?? kept.current ?? 'default'
  if (!isProfileName(name)) throw new Error('a name has 1 to 60 letters, digits, ".", "_", "-"')
  const before = profileNamed(kept, name)
  const server = (values.server ?? env.FOOTFALL_SERVER ?? before?.server)?.replace(/\/+$/, '')
  if (server === undefined || !isServerAddress(server))
    throw new Error('which installation? Give --server, an address that begins with https:// or http://')

  const as = await authorizationServer(server, fetch)
  const answers = await listenForAnswer()
  try {
    const client = await register({ as, server, redirectUri: answers.redirectUri }, terminal)
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const page = new URL(as.authorization_endpoint ?? '')
    const asked = {
      client_id: client.client_id,
      redirect_uri: answers.redirectUri,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource: server,
      scope: (await scopesOf({ asked: values.permissions, as, server }, terminal)).join(' '),
    }
    for (const [key, value] of Object.entries(asked)) page.searchParams.set(key, value)
    out(`Sign in and allow this computer in your browser:\n\n  ${page.href}\n\n`)
    if (!values['no-browser']) terminal.browse(page.href)
    const parameters = oauth.validateAuthResponse(as, client, await answers.next(state), state)
    const options = requestOptions(server, fetch)
    const answer = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, answers.redirectUri, verifier, options)
    const tokens = tokensOf(await oauth.processAuthorizationCodeResponse(as, client, answer), client.client_id)
    const same = before && isSameServer(server, before.server) ? before : { server }
    writeProfiles(file, { ...withProfile(readProfiles(file), name, { ...same, ...tokens }), current: name })
    await revoke(before ?? { server }, fetch).catch(() => undefined) // the previous sign-in, which may have ended
    out(`You are signed in: profile ${name}, kept in ${file}\n`)
    return exits.done
  } finally {
    answers.close()
  }
}

export async function signOut(words: readonly string[], { env, home, out, err, fetch }: Terminal): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    out(usage)
    return exits.done
  }
  const file = profilesFile(env, home)
  const kept = readProfiles(file)
  const name = words[0] ?? env.FOOTFALL_PROFILE ?? kept.current ?? 'default'
  const profile = profileNamed(kept, name)
  if (!profile?.grant) throw new Error(`profile "${name}" is not signed in by the browser`)
  writeProfiles(file, withProfile(kept, name, withoutTokens(profile)))
  try {
    await revoke(profile, fetch)
  } catch {
    err(`footfall logout: the server was not reached; the tokens are deleted here, and end there when they are not used for 30 days\n`)
    return exits.later
  }
  out(`You are signed out of ${profile.server}\n`)
  return exits.done
}

async function register(
  { as, server, redirectUri }: { as: oauth.AuthorizationServer; server: string; redirectUri: string },
  { fetch }: Terminal,
): Promise<oauth.Client> {
  const metadata = {
    client_name: `Footfall command line on ${os.hostname()}`.slice(0, 100),
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  }
  const answer = await oauth.dynamicClientRegistrationRequest(as, metadata, requestOptions(server, fetch))
  return oauth.processDynamicClientRegistrationResponse(answer)
}

/** The scopes for everyday work: those that the server lists as a protected resource. */
async function scopesOf(
  { asked, as: { scopes_supported: all = [] }, server }: { asked: string | undefined; as: oauth.AuthorizationServer; server: string },
  { fetch }: Terminal,
): Promise<readonly string[]> {
  if (asked === 'all') return all
  if (asked !== undefined) {
    const names = asked.split(',').map(one => one.trim())
    const unknown = names.find(one => !all.includes(one))
    if (unknown !== undefined) throw new Error(`--permissions: there is no ${JSON.stringify(unknown)}, but ${all.join(', ')}`)
    return names
  }
  const resource = new URL(server)
  const answer = await oauth.resourceDiscoveryRequest(resource, requestOptions(server, fetch))
  const { scopes_supported: everyday } = await oauth.processResourceDiscoveryResponse(resource, answer)
  return everyday ?? all
}

interface Answers {
  readonly redirectUri: string
  /** The parameters with which the browser returned. @param state requests with another state are ignored */
  next(state: string): Promise<URLSearchParams>
  close(): void
}

async function listenForAnswer(): Promise<Answers> {
  let arrived: (parameters: URLSearchParams) => boolean = () => false
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isOurs = request.method === 'GET' && pathname === '/callback' && arrived(searchParams)
    const [title, text] = !isOurs
      ? ['Not found', 'Nothing is expected here.']
      : searchParams.has('code')
        ? ['Signed in', 'You can close this window and go on in the terminal.']
        : ['Not allowed', 'Nothing was connected. You can close this window.']
    response.writeHead(isOurs ? 200 : 404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(answerStyle).digest('base64')}'`,
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    response.end(answerPage(title ?? '', text ?? ''))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    next: state =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('the sign-in was not completed within ten minutes')), SIGN_IN_MS)
        timer.unref()
        arrived = parameters => {
          if (parameters.get('state') !== state) return false
          clearTimeout(timer)
          resolve(parameters)
          return true
        }
      }),
    close: () => void server.close(),
  }
}

const answerStyle = 'body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:20vh auto;padding:0 1rem}'
const answerPage = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">` +
  `<title>${title} – Footfall</title><style>${answerStyle}</style>` +
  `<h1>${title}</h1><p>${text}</p></html>`

/** Codes of `fetch` for a server that cannot be reached. */
export const gotNoAnswer = (thrown: unknown): thrown is TypeError & { cause: Record<string, unknown> } =>
  thrown instanceof TypeError && isObject(thrown.cause)

/** Explains an error in a sentence: the messages of the library are for programmers. */
export function signInFault(thrown: unknown): string {
  if (thrown instanceof oauth.AuthorizationResponseError) {
    return thrown.error === 'access_denied' ? 'it was not allowed' : (thrown.error_description ?? thrown.error)
  }
  if (thrown instanceof oauth.ResponseBodyError) return thrown.error_description ?? thrown.error
  if (thrown instanceof oauth.OperationProcessingError)
    return 'the server has no sign-in for programs: is it a Footfall of version 0.4 or later, at its own address (BASE_URL)?'
  if (gotNoAnswer(thrown)) return `no answer (${String(thrown.cause.code ?? thrown.cause.message)})`
  return thrown instanceof Error ? thrown.message : 'it failed'
}
