/**
 * A pooler as PgBouncer is in its mode `transaction`, without support for prepared statements: each transaction of a
 * client goes to another of a few connections, and what it leaves there stays for the next
 * (postgresql.org/docs/current/protocol-message-formats.html).
 */
import { once } from 'node:events'
import net from 'node:net'

export interface Pooler {
  readonly url: string
  /** Most transactions that were open at a time. */
  readonly max: number
  stop(): Promise<void>
}

interface Held {
  readonly socket: net.Socket
  client: net.Socket | undefined
  /** Answers that the server owes. */
  pending: number
}

export async function startTransactionPooler(database: string, size: number): Promise<Pooler> {
  const { hostname, port, pathname, username } = new URL(database)
  const free: Held[] = []
  const waiting: ((held: Held) => void)[] = []
  const open: net.Socket[] = []
  let max = 0

  async function connect(): Promise<void> {
    const host = decodeURIComponent(hostname) // or the folder of a Unix socket
    const socket = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(Number(port), host).setNoDelay(true)
    open.push(socket)
    const held: Held = { socket, client: undefined, pending: 0 }
    const parameters = `user\0${username}\0database\0${pathname.slice(1)}\0\0`
    socket.write(message('', Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(parameters)])))
    let ready: () => void = () => {}
    const connected = new Promise<void>(resolve => (ready = resolve))
    let isReady = false
    socket.on(
      'data',
      framed((type, whole) => {
        if (!isReady) {
          if (type !== 'Z') return
          isReady = true
          return ready()
        }
        held.client?.write(whole)
        if (type !== 'Z') return
        held.pending--
        if (held.pending === 0 && whole[5] === 'I'.charCodeAt(0)) release(held)
      }),
    )
    await connected
    free.push(held)
  }

  function release(held: Held): void {
    if (held.client) serving.delete(held.client)
    held.client = undefined
    const next = waiting.shift()
    if (next) next(held)
    else free.push(held)
  }

  const serving = new Map<net.Socket, Promise<Held>>()
  function serverOf(client: net.Socket): Promise<Held> {
    let held = serving.get(client)
    if (!held) {
      const one = free.shift()
      held = one ? Promise.resolve(one) : new Promise(resolve => waiting.push(resolve))
      held = held.then(found => Object.assign(found, { client }))
      serving.set(client, held)
      max = Math.max(max, size - free.length)
    }
    return held
  }

  for (let i = 0; i < size; i++) await connect()
  const server = net.createServer(client => {
    open.push(client)
    client.setNoDelay(true).on('error', () => {})
    let started = false
    let last: Promise<unknown> = Promise.resolve()
    client.on(
      'data',
      framed(
        (type, whole) => {
          if (!started) {
            started = true
            const status = message('S', Buffer.from('client_encoding\0UTF8\0'))
            client.write(Buffer.concat([message('R', Buffer.alloc(4)), status, message('Z', Buffer.from('I'))]))
            return
          }
          if (type === 'X') return void client.end()
          // In order, and counted before the server can answer.
          last = last.then(async () => {
            const held = await serverOf(client)
            if (type === 'Q' || type === 'S') held.pending++
            held.socket.write(whole)
          })
        },
        () => !started,
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const at = typeof address === 'object' && address ? address.port : 0
  return {
    url: Object.assign(new URL(database), { port: String(at), hostname: '127.0.0.1' }).href,
    get max() {
      return max
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

/** Cuts a stream into messages; the first of a client has no type. */
function framed(hear: (type: string, whole: Buffer) => void, isStartup = () => false): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  return data => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const before = isStartup() ? 0 : 1
      if (rest.length < before + 4) return
      const size = before + rest.readInt32BE(before)
      if (rest.length < size) return
      const whole = rest.subarray(0, size)
      rest = rest.subarray(size)
      hear(before === 0 ? '' : String.fromCharCode(whole[0] ?? 0), whole)
    }
  }
}
