/** `npm run crawlers -- access.log --follow --server https://… --site pa_…`: sends a server's log, to see crawlers. */
import { writeFile } from 'node:fs/promises'
import { Option } from 'commander'
import { PUBLISHED, publishedRanges } from '../operations/sites/crawlers/addresses.ts'
import { type LineFormat, lineFormats } from '../operations/sites/crawlers/formats/line-formats.ts'
import { tail } from '../operations/sites/collection/log-tail.ts'
import { sendLines } from '../operations/sites/crawlers/send-lines.ts'
import { readConfig } from '../runtime/settings/config.ts'
import { guardedFetch, guardOf } from '../runtime/outbound/outbound.ts'
import { standardOutput } from '../runtime/observability/output.ts'
import { isWellFormed } from '../runtime/call/tokens.ts'
import { commandLine } from './command-line.ts'
import { command } from './machine.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../storage/values/durations.ts'

const program = commandLine('crawlers')
  .argument('[log]', 'log of the site’s web server')
  .option('--server <url>', 'address of the service, https://footfall.example.com')
  .option('--site <id>', 'site of the log, pa_…')
  .option('--token <token>', 'API token with sites.manage; default: FOOTFALL_TOKEN, which others on this machine do not see')
  .addOption(new Option('--format <format>', 'format of the log').choices(Object.keys(lineFormats)).default('combined'))
  .option('--follow', 'from the end of the log on, and go on with what is added')
  .option('--ranges <file>', 'instead: write the addresses that operators of crawlers publish, for CRAWLER_RANGES_FILE')
  .parse()
const options = program.opts<{
  server?: string
  site?: string
  token?: string
  format: LineFormat
  follow?: boolean
  ranges?: string
}>()
const [log] = program.args

export const run = (): Promise<void> =>
  command(
    async config => {
      if (options.ranges !== undefined) return writeRanges(options.ranges, guardOf(config))
      const server = (options.server ?? '').replace(/\/+$/, '')
      const token = options.token ?? process.env.FOOTFALL_TOKEN ?? ''
      if (log === undefined) throw new Error('Name the log: crawlers access.log --server … --site …')
      if (!/^https?:\/\/[^/?#]/.test(server) || !URL.canParse(server)) throw new Error('--server must be an http:// or https:// address')
      if (!/^pa_\w+$/.test(options.site ?? '')) throw new Error('--site must be the id of a site, pa_…')
      if (!isWellFormed(token, 'pat_')) throw new Error('--token must be an API token, pat_…: is it whole?')
      const stop = new AbortController()
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
      const follow = options.follow === true
      const sending = {
        server,
        token,
        site: options.site ?? '',
        format: options.format,
        signal: stop.signal,
        patienceMs: follow ? 24 * HOUR_MS : MINUTE_MS,
      }
      const sum = { accepted: 0, human: 0, rejected: 0 }
      await tail({
        log,
        fromStart: !follow,
        once: !follow,
        maxLines: 1_000,
        signal: stop.signal,
        async send(lines) {
          const sent = await sendLines(lines, sending)
          sum.accepted += sent.accepted
          sum.human += sent.human
          sum.rejected += sent.rejected
        },
      })
      standardOutput().write(`${sum.accepted} requests of crawlers, ${sum.human} of people, ${sum.rejected} lines not read\n`)
    },
    () => readConfig(process.env),
  ) // it uses no area's settings

/** A list that cannot be had leaves its crawlers unverifiable; the others are written. */
async function writeRanges(file: string, guard: ReturnType<typeof guardOf>): Promise<void> {
  const lists: Record<string, string[]> = {}
  for (const [name, url] of Object.entries(PUBLISHED)) {
    try {
      const answer = await guardedFetch(url, {
        ...guard,
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        timeoutMs: 20_000,
        connectMs: 10 * SECOND_MS,
        maxBytes: 4_194_304,
        redirects: 5,
      })
      if (answer.status !== 200) throw new Error(`answers ${answer.status}`)
      lists[name] = publishedRanges(answer.body.toString('utf8'))
    } catch (error) {
      process.stderr.write(`${name}, ${url}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  if (Object.keys(lists).length === 0) throw new Error('No list could be had; nothing is written')
  await writeFile(file, `${JSON.stringify(lists, null, 1)}\n`)
  standardOutput().write(`${Object.keys(lists).length} lists are in ${file}\n`)
}
