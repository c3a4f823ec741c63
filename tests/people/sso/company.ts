/** A company with single sign-on: a workspace, a domain of its own, and the browser of a person. */
import { draftOf } from '../../../operations/people/sso/records.ts'
import { randomBytes } from '../../support/chance.ts'
import { makeWorld, request, type TestService, type World } from '../../support/world.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'

export interface Company {
  readonly world: World
  readonly workspace: string
  readonly domain: string
  configure(change: Partial<SsoConfigurationRow>): Promise<void>
  configuration(): Promise<SsoConfigurationRow>
}

export async function makeCompany(service: TestService, change: Partial<SsoConfigurationRow> = {}): Promise<Company> {
  const world = await makeWorld(service)
  const [workspace, domain] = [world.ids.workspace ?? '', `work.${world.ids.domain}`]
  const { write } = service.store
  await write.deleteFrom('sso_configurations').where('workspace_id', '=', workspace).execute()
  await write
    .insertInto('sso_configurations')
    .values({ ...draftOf(workspace, service.clock.now), ...change })
    .execute()
  await write
    .insertInto('sso_domains')
    .values({
      id: `dom_${randomBytes(12).toString('hex')}`,
      workspace_id: workspace,
      domain,
      proof: 'x',
      verified_at: 1,
      checked_at: 1,
      check_error: null,
      created_at: 1,
    })
    .execute()
  return {
    world,
    workspace,
    domain,
    async configure(more) {
      await write.updateTable('sso_configurations').set(more).where('workspace_id', '=', workspace).execute()
    },
    configuration: () => write.selectFrom('sso_configurations').selectAll().where('workspace_id', '=', workspace).executeTakeFirstOrThrow(),
  }
}

/** Keeps cookies as a browser does. */
export class Browser {
  readonly #service: TestService
  readonly cookies = new Map<string, string>()

  constructor(service: TestService) {
    this.#service = service
  }

  /** @param isForeign a form of another site: cookies with SameSite=Lax stay at home */
  async ask(method: 'GET' | 'POST', url: string, { form, isForeign = false }: { form?: Record<string, string>; isForeign?: boolean } = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await request(this.#service, method, url.replace('http://footfall.test', ''), {
      headers: {
        Accept: 'text/html',
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(cookie && !isForeign && { Cookie: cookie }),
        ...(form && {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: isForeign ? 'https://idp.example' : 'http://footfall.test',
        }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = '', seconds = ''] = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(line) ?? []
      if (seconds === '0') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { ...answer, location: answer.headers.get('location') ?? '' }
  }

  get(url: string) {
    return this.ask('GET', url)
  }

  get isSignedIn(): boolean {
    return this.cookies.has('session')
  }
}
