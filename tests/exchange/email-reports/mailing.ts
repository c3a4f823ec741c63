/** A service with a mail server, and its tasks run by hand, as a worker does. */
import { email_reports_plan, email_reports_send } from '../../../operations/exchange/email-reports/tasks.ts'
import { mails_send } from '../../../operations/people/mail/tasks.ts'
import type { Task, TaskContext } from '../../../runtime/table/task.ts'
import { hit, store } from '../../storage/engine/traffic.ts'
import type { Engine } from '../../support/engines.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeWorld, request, type Settings, startService, type TestService, type World } from '../../support/world.ts'
import { type Mail, type MailServer, startMailServer } from '../../watch/channels/receivers.ts'

export interface Mailing {
  readonly service: TestService
  readonly world: World
  readonly server: MailServer
  call(method: string, path: string, body?: unknown, token?: string): ReturnType<typeof request>
  /** Makes a report about the site of the world, and answers its id. */
  report(input?: Readonly<Record<string, unknown>>): Promise<string>
  get(id: string): Promise<any> // any, so that tests can read any field
  /** Runs what is due and answers the mails that arrived. */
  deliver(): Promise<Mail[]>
  /** Visits of the site of the world. */
  visit(at: string, count: number, more?: { page?: string; source?: string; country?: string }): Promise<void>
}

export const contextOf = ({ app }: TestService): TaskContext => taskContext(app)

export async function runAll(service: TestService, tasks: readonly Task[] = [email_reports_plan, email_reports_send, mails_send]) {
  for (const task of tasks) while ((await task.run(contextOf(service)))?.more);
}

export async function startMailing(engine: Engine, settings: Settings = {}): Promise<Mailing & { close(): Promise<void> }> {
  const server = await startMailServer()
  const service = await startService(engine, { SMTP_URL: server.url, BASE_URL: 'https://stats.example.org', ...settings })
  const world = await makeWorld(service)
  const root = `/workspaces/${world.ids.workspace}/email_reports`
  const call = (method: string, path: string, body?: unknown, token = world.token) =>
    request(service, method, `${root}${path}`, { token, body })
  let people = 0
  return {
    service,
    world,
    server,
    call,
    async report(input = {}) {
      const made = await call('POST', '', { name: 'Our week', site_ids: [world.ids.site], recipients: ['ada@example.org'], ...input })
      if (made.status !== 201) throw new Error(made.text)
      return made.body.data.id
    },
    get: async id => (await call('GET', `/${id}`)).body.data,
    async deliver() {
      await runAll(service)
      return server.mails.splice(0)
    },
    async visit(at, count, { page = '/', source = '', country = '' } = {}) {
      const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
      const hits = Array.from({ length: count }, () =>
        hit(zone, { who: `${people++}`, at: Date.parse(at), page, visit: { source, country } }),
      )
      await store(service.store, hits, hits.length)
    },
    async close() {
      await service.close()
      await server.close()
    },
  }
}
