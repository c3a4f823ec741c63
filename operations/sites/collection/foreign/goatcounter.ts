/** GoatCounter's `/count`: parameters in the query, sent by an image or as a beacon. */
import { urlOf } from '../formats/address.ts'
import type { Format } from './format.ts'
import { hitOf, pixel } from './message.ts'

/** Values of `b` from here on say that the script found a browser that a program drives. */
const FIRST_BOT = 150

export const goatcounter: Format = {
  read({ query, page, path }) {
    const [, , site] = path.split('/') // `/count/{site}`
    const host = urlOf(page)?.host ?? ''
    const sent = query.get('p') ?? ''
    const isEvent = /^(true|1)$/.test(query.get('e') ?? '')
    const search = query.get('q') ?? ''
    const onHost = host === '' ? (site ?? '') : host
    const address = (sent.startsWith('/') ? '' : '/') + sent + (sent.includes('?') ? '' : search)
    return {
      messages: [
        hitOf({
          product: 'goatcounter',
          id: site,
          host: onHost,
          ...(isEvent
            ? { kind: 'event', name: sent, url: page, props: { title: query.get('t') } }
            : { kind: 'pageview', url: sent === '' ? page : address, title: query.get('t') }),
          referrer: query.get('r'),
          refused: Number(query.get('b') ?? 0) >= FIRST_BOT ? 'bot' : undefined,
        }),
      ],
    }
  },
  answer: received => pixel(received.some(each => 'dropped' in each && each.dropped === 'invalid') ? 400 : 200),
}
