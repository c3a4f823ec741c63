/** A client of the service, which creates the demo's records over HTTP. */
import type { Web } from '../../adapters/http/web.ts'

/** Ids of workspace and site, and a token. */
export interface Place {
  readonly workspace: string
  readonly site: string
  readonly token: string
}

export interface Client extends Place {
  /** @returns the id of the record, if it has one @throws Error with the answer */
  send(method: 'POST' | 'PATCH', path: string, body: object): Promise<string>
  /** Creates a record of the site. */
  make(area: string, body: object): Promise<string>
}

export function openClient(web: Web, place: Place): Client {
  const headers = { Authorization: `Bearer ${place.token}`, 'Content-Type': 'application/json' }
  async function send(method: 'POST' | 'PATCH', path: string, body: object): Promise<string> {
    const answer = await web.request(path, { method, body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: { id?: string } } // the form of every answer
    return data.id ?? ''
  }
  return { ...place, send, make: (area, body) => send('POST', `/sites/${place.site}/${area}.json`, body) }
}
