/** A browser without a screen: keeps cookies, follows no redirects, and says where its requests are from. */
import type { TestService } from '../../support/world.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any // tests look inside freely
}

export interface TestBrowser {
  readonly cookies: Map<string, string>
  /** Opens an address as a person does. */
  open(path: string): Promise<Answer>
  /** Posts a form of our own page. */
  submit(path: string, fields?: Readonly<Record<string, string>>): Promise<Answer>
  /** Calls an operation as a script of our own page does. */
  call(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

export function openBrowser(
  { web }: Pick<TestService, 'web'>,
  {
    origin = 'http://footfall.test',
    agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ip = '127.0.0.1',
  } = {},
): TestBrowser {
  const cookies = new Map<string, string>()
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'User-Agent': agent, 'X-Forwarded-For': ip, ...(jar && { Cookie: jar }), ...(init.headers as Record<string, string>) }
    const response = await web.request(path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
  const own = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' }
  return {
    cookies,
    open: path => ask(path, { headers: { Accept: 'text/html,application/xhtml+xml;q=0.9' } }),
    submit: (path, fields = {}) =>
      ask(path, {
        method: 'POST',
        headers: { ...own, Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams(fields)),
      }),
    call: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        headers: { ...own, Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
  }
}
