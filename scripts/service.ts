/** The service as one process: opens the database, serves requests, runs tasks, and shuts down without losing hits. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWeb } from '../adapters/http/http.ts'
import { serverOf } from '../adapters/http/server.ts'
import { machineMounts, mounts } from '../adapters/index.ts'
import { table } from '../operations/index.ts'
import { isEmpty, setUp } from '../operations/service/setup/set-up.ts'
import type { App } from '../runtime/app.ts'
import { createApp } from '../runtime/create-app.ts'
import type { Config } from '../runtime/settings/config.ts'
import { openLog } from '../runtime/observability/log.ts'
import { standardOutput } from '../runtime/observability/output.ts'
import { createScheduler, type Scheduler } from '../runtime/tasks/scheduler.ts'
import { defineTable } from '../runtime/table/table.ts'
import { addressOf } from './address.ts'
import { endOnSignal, exitOnSignal, patienceMs } from './on-exit.ts'
import { random } from './machine.ts'
import { openForService } from './open-database.ts'
import { isTraced, sendTelemetry, traceQuery } from './telemetry.ts'
import { type First, welcome } from './welcome.ts'

/**
 * Time to accept connections already queued in the kernel, which would otherwise be reset, in ms. Node accepts one per
 * event-loop turn.
 */
const acceptMs = 50
/** How long running requests and tasks may take to finish at shutdown, in ms. The whole shutdown takes at most 10 s. */
const drainMs = 7_000
/** How often connections that became idle during shutdown are closed, in ms. */
const idleMs = 100
/** Tasks begin this long after the start, so that the first requests do not wait for them, in ms. */
const tasksAfterMs = 200
/** Process metrics are loaded this long after the start, so that they do not delay it. */
const metersAfterMs = 1_000

/**
 * Serves requests and runs tasks until a signal comes.
 * @param made the result of an earlier setup; without it, an empty database is set up here
 */
export async function runService(
  config: Config,
  { web: isWeb, worker: isWorker }: { web: boolean; worker: boolean },
  made?: First,
): Promise<void> {
  exitOnSignal()
  const log = openLog(config.LOG_LEVEL)
  const database = await openForService(config, table, { onQuery: isTraced(config) ? traceQuery : undefined })
  const { store, now, away } = database
  // With PORT=0 the address is known only after listening; nothing reads it before.
  const address = { BASE_URL: config.BASE_URL }
  const app = createApp({
    store,
    config: {
      ...config,
      get BASE_URL() {
        return address.BASE_URL
      },
    },
    table,
    log,
    now,
    random,
  })
  const installation = await (away ? withoutDatabase(app, away) : startChecks(app)).catch(async (error: unknown) => {
    await app.close()
    await database.close()
    throw error
  })
  const telemetry = await sendTelemetry(app)
  const web = isWeb
    ? createWeb(app, mounts)
    : createWeb({ ...app, table: { ...defineTable([]), tasks: table.tasks, checks: table.checks } }, machineMounts)
  const server = await listen(serverOf(web, { app, hostname: config.HOST }), config)
  // Only after listening: the token is shown once, and a start that fails should not show it.
  const first =
    made ??
    (isWeb && !away
      ? await firstSite(app).catch(error => {
          server.close()
          throw error
        })
      : undefined)
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  address.BASE_URL ||= addressOf(config, port)
  const ending = new AbortController()
  let scheduler: Scheduler | undefined
  /** Tasks that calls wake before `afterMs` run then. */
  const scheduleTasks = (afterMs: number) => {
    if (!isWorker || ending.signal.aborted) return
    const opened = createScheduler(app)
    scheduler = opened
    setTimeout(() => opened.start(), afterMs)
  }
  if (installation === undefined) scheduleTasks(tasksAfterMs)
  standardOutput().write(first ? welcome(address.BASE_URL, first) : `Footfall${isWeb ? '' : '’s worker'} is at ${address.BASE_URL}\n`)
  log.info({ address: address.BASE_URL, web: isWeb, worker: isWorker }, 'serving')
  setTimeout(() => void app.metrics.open(), metersAfterMs).unref()
  if (installation !== undefined)
    void import('./await-database.ts')
      .then(({ awaitDatabase }) =>
        awaitDatabase({
          config,
          table,
          log,
          installation,
          signal: ending.signal,
          completeStart: () => database.comesBack().then(() => startChecks(app)),
        }),
      )
      .then(() => scheduleTasks(0))

  const delayMs = config.DRAIN_DELAY_SECONDS * 1_000
  endOnSignal(async signal => {
    log.info({ signal }, 'closing')
    app.beginClosing()
    ending.abort()
    const drain = async () => {
      await sleep(delayMs)
      await drained(server)
    }
    await Promise.all([drain(), scheduler?.stop(drainMs)])
    await app.close()
    await telemetry?.close() // its last metrics are read from the database
    await database.close()
    log.info('closed')
  }, delayMs + patienceMs)
}

/** @throws Error for the operator, which stops the start */
async function startChecks(app: App): Promise<undefined> {
  await Promise.all(app.table.checks.map(({ start }) => start(app)))
}

/** @returns id of the installation for whose database it waits @throws `away` if this process is useless without it */
async function withoutDatabase(app: App, away: Error): Promise<string> {
  for (const { startWithoutDatabase } of app.table.checks) {
    const installation = await startWithoutDatabase?.(app)
    if (installation === undefined) continue
    app.log.warn({ reason: away.message }, 'started without the database, only to keep hits')
    return installation
  }
  throw away
}

/** Undefined if the database is already set up. */
async function firstSite({ store, emitIn, now }: App): Promise<First | undefined> {
  if (!(await isEmpty(store.read))) return undefined
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const setUpRequest = { email: 'owner@localhost.localdomain', workspace: 'My workspace', site: 'localhost', timezone }
  return {
    ...(await setUp(store, setUpRequest, { now: now(), random, emitIn })),
    email: setUpRequest.email,
    domain: setUpRequest.site,
    period: 'today',
  }
}

function listen(server: Server, { HOST, PORT }: { HOST: string; PORT: number }): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(new Error(`could not listen on HOST ${HOST}, PORT ${PORT}: ${error.message}`)))
    server.listen(PORT, HOST, () => resolve(server))
  })
}

async function drained(server: Server): Promise<void> {
  await sleep(acceptMs)
  return new Promise(resolve => {
    const patience = setTimeout(() => server.closeAllConnections(), drainMs)
    const idle = setInterval(() => server.closeIdleConnections(), idleMs)
    server.close(() => {
      clearTimeout(patience)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}
