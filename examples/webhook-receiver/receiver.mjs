// Receives webhooks of Footfall: WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.mjs
import http from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
/** Ids of events that were handled. Keep them in a database if repetitions must be dropped after a restart, too. */
const handled = new Set()

http
  .createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString() // the bytes that came: they are what is signed
    let event
    try {
      event = webhook.verify(body, request.headers)
    } catch {
      return response.writeHead(400).end('The signature is wrong.')
    }
    const id = request.headers['webhook-id']
    if (!handled.has(id)) {
      handled.add(id)
      console.log(event.type, JSON.stringify(event.data))
    }
    response.writeHead(204).end() // within 15 seconds; do longer work afterwards
  })
  .listen(Number(process.env.PORT ?? 3000), () => console.log('waiting for webhooks'))
