/** A client of the service: the demo's records are made over HTTP. */
import type { Web } from '../../adapters/http/http.ts'

/** Ids of workspace and site, and a token. */
export interface Place {
  readonly workspace: string
  readonly site: string
  readonly token: string
}

export interface Client extends Place {
  /** @returns the id of what was made or changed, where it has one @throws Error with what was answered */
  send(method: 'POST' | 'PATCH', path: string, body: object): Promise<string>
  /** Creates a record of the site. */
  make(area: string, body: object): Promise<string>
}

export function openClient(web: Web, place: Place): Client {
  const headers = { Authorization: `Bearer ${place.token}`, 'Content-Type': 'application/json' }
  async function send(method: 'POST' | 'PATCH', path: string, body: object): Promise<string> {
    const answer = await web.request(path, { method, body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: { id?: string } } // what every operation answers
    return data.id ?? ''
  }
  return { ...place, send, make: (area, body) => send('POST', `/sites/${place.site}/${area}.json`, body) }
}
