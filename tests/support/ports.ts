/** Ports for servers that are told where to listen, or start again at the same place. */
import { randomInt } from 'node:crypto'
import net from 'node:net'

/** A port below those of outgoing connections, which may take one between two starts of a server. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000)
    const server = net.createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}
