/** A mail server that takes its time: mails are on their way when a process dies or is stopped. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from '../../tools/smtp-server.mjs'

export interface Mailbox {
  readonly url: string
  /** Mails that were taken: to whom, and their Message-ID. */
  readonly got: { readonly to: string; readonly id: string }[]
  /** Connections on which a mail is being sent. */
  open(): number
  close(): Promise<void>
}

/** @param answerMs from a mail to the answer that it was taken */
export async function startMailbox(answerMs: number): Promise<Mailbox> {
  const got: { to: string; id: string }[] = []
  let open = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_, done) {
      open++
      done()
    },
    onClose: () => void open--,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [, id = ''] = /^Message-ID: <(\S+)>/im.exec(Buffer.concat(chunks).toString('utf8')) ?? []
        got.push({ to: envelope.rcptTo[0]?.address ?? '', id })
        setTimeout(done, answerMs)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, got, open: () => open, close: () => new Promise<void>(closed => server.close(closed)) }
}
