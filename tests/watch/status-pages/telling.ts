/** A service with a mail server, to make status pages in and run their tasks. */
import { ids } from '../../../operations/watch/status-pages/records.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import { randomBytes } from '../../support/chance.ts'
import { addCheck } from '../../support/uptime.ts'
import { makeWorld, request, type Settings, type World } from '../../support/world.ts'
import type { Engine } from '../../support/engines.ts'
import { startWatching, type Watching } from '../alerts/watching.ts'
import { type MailServer, startMailServer } from '../channels/receivers.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface Telling {
  readonly watching: Watching
  readonly mail: MailServer
  close(): Promise<void>
}

export async function startTelling(engine: Engine, settings: Settings = {}): Promise<Telling> {
  const mail = await startMailServer()
  const watching = await startWatching(engine, { SMTP_URL: mail.url, ...settings })
  return {
    watching,
    mail,
    async close() {
      await watching.close()
      await mail.close()
    },
  }
}

export interface Shown {
  readonly world: World
  readonly page: string
  readonly slug: string
  readonly checks: readonly { readonly id: string; readonly number: number }[]
}

/** A page of a new workspace, with so many public checks that are up. */
export async function makePage({ watching }: Telling, count = 1, fields: object = {}): Promise<Shown> {
  const { service } = watching
  const world = await makeWorld(service)
  const checks = []
  for (let i = 0; i < count; i++)
    checks.push(
      await addCheck(service.store.write, service.clock.now, {
        workspace_id: world.ids.workspace ?? '',
        site_id: world.ids.site ?? '',
        name: `Check ${i + 1}`,
        status: 'up',
        public: 1,
      }),
    )
  const slug = `page-${world.ids.domain?.split('.')[0]}`
  const { status, text, body } = await watching.call(world, 'POST', '/workspaces/{{workspace}}/status_pages', {
    name: 'Acme',
    slug,
    groups: [{ name: 'All', checks: checks.map(({ id }) => ({ check_id: id })) }],
    ...fields,
  })
  if (status !== 201) throw new Error(text)
  return { world, page: body.data.id, slug: body.data.slug, checks }
}

export const shownOf = async ({ watching }: Telling, { slug }: Shown) =>
  (await request(watching.service, 'GET', `/status/${slug}.json`)).body.data

/** A subscriber, as one who has followed the link in the mail. */
export async function subscribed({ watching }: Telling, { page }: Shown, email: string): Promise<void> {
  const { store, clock } = watching.service
  await store.write
    .insertInto('status_subscribers')
    .values({
      id: makeId(ids.status_subscriber, clock.now, randomBytes(14)),
      page_id: page,
      email,
      pending_until: null,
      confirmed_at: clock.now,
      refused: 0,
      created_at: clock.now,
    })
    .execute()
}
