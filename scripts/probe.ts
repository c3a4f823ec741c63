/** `npm run probe -- --server https://… --token prb_… --location fra1`: an agent that probes uptime checks from this machine. */
import { agentServer } from '../operations/watch/uptime/probes/agent-server.ts'
import { runAgent } from '../operations/watch/uptime/probes/agent.ts'
import { readConfig } from '../runtime/settings/config.ts'
import { openLog } from '../runtime/observability/log.ts'
import { guardOf } from '../runtime/outbound/outbound.ts'
import { standardOutput } from '../runtime/observability/output.ts'
import { isWellFormed } from '../runtime/call/tokens.ts'
import { commandLine } from './command-line.ts'
import { endOnSignal } from './on-exit.ts'
import { command } from './machine.ts'

const options = commandLine('probe')
  .requiredOption('--server <url>', 'address of the service, https://footfall.example.com')
  .option('--token <token>', 'probe token, prb_…; default: PROBE_TOKEN, which others on this machine do not see')
  .requiredOption('--location <name>', 'name of the location, the one of the token')
  .parse()
  .opts<{ server: string; token?: string; location: string }>()

export const run = (): Promise<void> =>
  command(
    async config => {
      const server = options.server.replace(/\/+$/, '')
      const token = options.token ?? process.env.PROBE_TOKEN ?? ''
      if (!/^https?:\/\/[^/?#]/.test(server) || !URL.canParse(server)) {
        throw new Error('--server must be an http:// or https:// address')
      }
      if (!isWellFormed(token, 'prb_')) throw new Error('--token must be a probe token, prb_…: is it whole?')
      const stop = new AbortController()
      const { location } = options
      standardOutput().write(`Probing from ${location} for ${server}\n`)
      const running = runAgent({
        server: agentServer(server, token),
        location,
        guard: guardOf(config),
        log: openLog(config.LOG_LEVEL),
        signal: stop.signal,
        now: Date.now,
      })
      endOnSignal(() => {
        stop.abort()
        return running.catch(() => {}) // the error is reported below
      })
      await running
    },
    () => readConfig(process.env),
  ) // it uses no area's settings
