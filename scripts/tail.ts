/** `footfall tail access.log --server https://… --site pa_…`: counts visits from a server's log, for sites without a script. */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import path from 'node:path'
import { postLines } from '../operations/sites/crawlers/send-lines.ts'
import { tail } from '../operations/sites/collection/log-tail.ts'
import { standardOutput } from '../runtime/observability/output.ts'
import { isWellFormed } from '../runtime/call/tokens.ts'
import { isObject } from '../runtime/values/json.ts'
import { HOUR_MS, MINUTE_MS } from '../storage/values/durations.ts'
import { commandLine } from './command-line.ts'
import { command, ownSettings } from './machine.ts'

const program = commandLine('tail')
  .argument('<log>', 'log of the site’s web server: nginx, Apache or Caddy')
  .option('--server <url>', 'address of the service, https://footfall.example.com')
  .option('--site <id>', 'site of the log, pa_…')
  .option('--token <token>', 'API token with sites.manage; default: FOOTFALL_TOKEN, which others on this machine do not see')
  .option('--from-start', 'the first time, read the log from its start; default: from its end')
  .option('--once', 'stop at the end of the log; the next run continues there')
  .option('--state <file>', 'where the position in the log is kept; default: in ~/.local/state/footfall')
  .parse()
const options = program.opts<{ server?: string; site?: string; token?: string; fromStart?: true; once?: true; state?: string }>()
const [log = ''] = program.args

export const run = (): Promise<void> =>
  command(async () => {
    const server = (options.server ?? '').replace(/\/+$/, '')
    const { site = '', token = process.env.FOOTFALL_TOKEN ?? '' } = options
    if (!/^https?:\/\/[^/?#]/.test(server) || !URL.canParse(server)) throw new Error('--server must be an http:// or https:// address')
    if (!/^pa_\w+$/.test(site)) throw new Error('--site must be the id of a site, pa_…')
    if (!isWellFormed(token, 'pat_')) throw new Error('--token must be an API token, pat_…: is it whole?')
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    let [pages, others] = [0, 0]
    const once = options.once === true
    await tail({
      log,
      state: options.state ?? stateOf({ log: path.resolve(log), server, site }),
      fromStart: options.fromStart === true,
      once,
      signal: stop.signal,
      async send(lines, key) {
        const sending = {
          server,
          token,
          path: `/sites/${site}/log/lines.json`,
          signal: stop.signal,
          patienceMs: once ? MINUTE_MS : 24 * HOUR_MS,
        }
        for (const data of await postLines(lines, { ...sending, key, more: {} })) {
          const left = Array.isArray(data.left_out) ? data.left_out : []
          pages += Number(data.pages ?? 0)
          others += left.reduce((sum: number, each: unknown) => sum + (isObject(each) ? Number(each.lines) : 0), 0)
        }
      },
    }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    standardOutput().write(`${pages} pages, ${others} other requests\n`)
  }, ownSettings)

/** A position for each log and site. */
function stateOf(of: { log: string; server: string; site: string }): string {
  const folder = process.env.XDG_STATE_HOME ?? path.join(homedir(), '.local', 'state')
  const name = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 16)
  return path.join(folder, 'footfall', `tail-${name}.json`)
}
