/**
 * The only place that opens sockets to the outside. It resolves a name once, checks all of its addresses, and connects
 * to a checked address without resolving again (DNS rebinding).
 */
import net from 'node:net'
import tls, { type DetailedPeerCertificate } from 'node:tls'
import { mayCall } from './address.ts'
import { unlessAborted, within } from './deadline.ts'
import { faultOf, OutboundError, outboundError } from './fault.ts'
import { isLocalhost, type Resolver, systemResolver } from './resolver.ts'
import { bareHost, type Host, hostOf } from './target.ts'

/** The limits of outgoing calls. */
export interface Guard {
  /** Addresses and CIDR ranges allowed in addition to public ones: `config.OUTBOUND_ALLOW_CIDRS`. */
  readonly allow: readonly string[]
  /** Allows only those, for calls that must not cross the internet. */
  readonly onlyAllowed?: boolean
  /** Default: the machine's DNS configuration. */
  readonly resolver?: Resolver | undefined
  /** CA certificates (PEM) that replace the bundled ones; `NODE_EXTRA_CA_CERTS` adds to those. */
  readonly ca?: string | undefined
  /** Ends the call early, as a timeout. */
  readonly signal?: AbortSignal | undefined
}

export interface ConnectLimits {
  /** Limit for DNS, connection and TLS handshake together. */
  readonly connectMs: number
  readonly tls: boolean
}

export interface Connected {
  readonly socket: net.Socket
  /** The checked address that was called. */
  readonly address: string
  /** With its chain in `issuerCertificate`; null without TLS. */
  readonly certificate: DetailedPeerCertificate | null
}

/** The time limit is shared among this many addresses. */
const addressesTried = 3

/**
 * Resolves a host, all of whose addresses must be allowed.
 * @param ms time limit
 * @throws OutboundError `invalid_target`, `dns_error`, `timeout`; `blocked` if any address is not allowed
 */
export function resolvePublic(host: string, ms: number, guard: Guard): Promise<readonly string[]> {
  return within(ms, guard.signal, async signal => permitted(bareHost(host), guard, signal))
}

interface GuardedConnect {
  readonly host: string
  readonly port: number
  readonly limits: ConnectLimits
  readonly guard: Guard
}

/**
 * A connected socket, after the handshake if TLS is wanted. The caller closes it.
 * @throws OutboundError
 */
export async function guardedConnect({ host, port, limits, guard }: GuardedConnect): Promise<Connected> {
  return connectTo({ host: bareHost(host), port, limits, guard })
}

interface ConnectTo {
  readonly host: Host
  readonly port: number
  readonly limits: ConnectLimits
  readonly guard: Guard
}

/** Like `guardedConnect`, for a parsed host. */
export function connectTo({ host, port, limits: { connectMs, tls: secure }, guard }: ConnectTo): Promise<Connected> {
  const ends = performance.now() + connectMs
  return within(connectMs, guard.signal, async signal => {
    const addresses = (await permitted(host, guard, signal)).slice(0, addressesTried)
    let last = new OutboundError('dns_error')
    for (const [i, address] of addresses.entries()) {
      const share = (ends - performance.now()) / (addresses.length - i)
      const socket = net.connect({ host: address, port, noDelay: true }).on('error', () => {})
      try {
        await within(share, signal, inner => happens(socket, 'connect', inner))
        if (!secure) return { address, socket, certificate: null }
        return { address, ...(await secured({ raw: socket, host, guard, signal })) }
      } catch (thrown) {
        socket.destroy()
        last = outboundError(thrown)
        if (signal.aborted || last.code.startsWith('tls')) break
      }
    }
    throw last
  })
}

async function permitted(host: Host, guard: Guard, signal: AbortSignal): Promise<readonly string[]> {
  const may = (address: string) => mayCall(address, guard.allow, guard.onlyAllowed)
  const { resolver = systemResolver } = guard
  const addresses =
    knownAddresses(host)?.filter(may) ??
    (await unlessAborted(signal, resolver(host.name)).catch(thrown => {
      throw outboundError(thrown)
    }))
  if (addresses.length === 0) throw new OutboundError(knownAddresses(host) ? 'blocked' : 'dns_error')
  if (!addresses.every(may)) throw new OutboundError('blocked')
  return addresses
}

/** Addresses known without DNS. For localhost it is enough if one of them is allowed. */
function knownAddresses({ name, isAddress }: Host): readonly string[] | undefined {
  if (isAddress) return [name]
  return isLocalhost(name) ? ['127.0.0.1', '::1'] : undefined
}

interface Secured {
  readonly raw: net.Socket
  readonly host: Host
  readonly guard: Guard
  readonly signal: AbortSignal
}

/** Accepts invalid chains at first, to read them for a precise error; nothing has been sent yet. */
async function secured({ raw, host: { name, isAddress }, guard: { ca }, signal }: Secured) {
  const socket = tls.connect({
    socket: raw,
    host: name,
    servername: isAddress ? '' : name,
    rejectUnauthorized: false,
    ...(ca && { ca }),
  })
  socket.on('error', () => {})
  await happens(socket, 'secureConnect', signal)
  const certificate = socket.getPeerCertificate(true)
  if (socket.authorized) return { socket, certificate }
  socket.destroy()
  const code = faultOf(String(socket.authorizationError))
  throw new OutboundError(code === 'tls_expired' ? code : 'tls_invalid', certificate)
}

function happens(socket: net.Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return unlessAborted(
    signal,
    new Promise((resolve, reject) => {
      socket
        .once(event, resolve)
        .once('error', reject)
        .once('close', () => reject(new OutboundError('connection_reset')))
    }),
  )
}

/** A reason to refuse a target that is known without DNS, for validating inputs. */
export function refusal(target: URL, guard: Guard): 'blocked' | undefined {
  const known = knownAddresses(hostOf(target))
  if (known === undefined) return undefined
  return known.some(address => mayCall(address, guard.allow, guard.onlyAllowed)) ? undefined : 'blocked'
}
