/** A port that leads to a server, and later to another one. */
import net from 'node:net'
import { freePort } from './ports.ts'

export interface TcpProxy {
  readonly port: number
  /** From now on connections go to this port; those that are open break. */
  lead(port: number): void
  /** Silently drops all further data. */
  freeze(): void
  close(): Promise<void>
}

export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const open = new Set<net.Socket>()
  let [target, isFrozen] = [port, false]
  const server = net.createServer(client => {
    const upstream = net.connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('data', piece => {
        if (!isFrozen) other.write(piece)
      })
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  const own = await freePort()
  await new Promise<void>(listening => server.listen(own, '127.0.0.1', listening))
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: own,
    lead(port) {
      target = port
      breakAll()
    },
    freeze() {
      isFrozen = true
    },
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      breakAll()
      await closed
    },
  }
}
