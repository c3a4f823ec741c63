/** A name server that answers TXT records, on this machine. */
import { dns2 } from '../../../tools/dns2.mjs'

export interface NameServer {
  /** For DNS_SERVERS. */
  readonly address: string
  /** TXT records by name, in small letters. */
  readonly records: Map<string, string[]>
  /** Names that it was asked for. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function startNameServer(): Promise<NameServer> {
  const { Packet, createServer } = dns2
  const records = new Map<string, string[]>()
  const asked: string[] = []
  const server = createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = question?.name.toLowerCase() ?? ''
      asked.push(name)
      const texts = records.get(name) ?? []
      if (texts.length === 0) response.header.rcode = 3 // NXDOMAIN
      for (const data of texts) response.answers.push({ name, type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 1, data } as never)
      send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  if (!udp) throw new Error('The name server does not listen')
  return { address: `127.0.0.1:${udp.port}`, records, asked, close: () => server.close() }
}
