/** Requests of a client to the service without a socket, with what it sent and was answered. */
import { ownPage, shownAs, type TestService } from './world.ts'

export interface Sent {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: Headers
  /** Fields of the query, or of the body, as the server reads them. */
  readonly input: Record<string, unknown>
  readonly status: number
  /** JSON, or the text of an answer that is none. */
  readonly answer: unknown
}

/**
 * @param cookie a session, sent as a browser would; a client has none itself
 * @returns a `fetch` and the list that it fills
 */
export function recorded(
  { web }: TestService,
  cookie?: string,
): { fetch: (url: string, init: RequestInit) => Promise<Response>; sent: Sent[] } {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname, search, searchParams } = new URL(url)
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries({ ...ownPage, ...(cookie !== undefined && shownAs(cookie)) })) headers.set(name, value)
    const response = await web.request(pathname + search, { ...init, headers })
    const text = await response.clone().text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    sent.push({
      method: init.method ?? 'GET',
      path: decodeURIComponent(pathname),
      headers,
      input: typeof init.body === 'string' ? JSON.parse(init.body) : Object.fromEntries(searchParams),
      status: response.status,
      answer: isJson ? JSON.parse(text) : text,
    })
    return response
  }
  return { fetch, sent }
}
