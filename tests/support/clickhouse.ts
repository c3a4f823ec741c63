/**
 * A real ClickHouse for the tests: the `clickhouse-server` that is installed on this machine (`apt-get install
 * clickhouse-server`). Undefined where there is none, so that tests are skipped with a word. `TEST_CLICKHOUSE_URL` names
 * a running one instead.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { endProcess } from './process.ts'

export interface RunningClickhouse {
  readonly url: string
  /** Ends it like a crash; data and ports stay. */
  kill(): Promise<void>
  /** Starts it after `kill`, and waits until it answers. */
  resume(): Promise<void>
  /** Stops it without ending it: connections are accepted, and nothing answers. */
  hang(): void
  /** After `hang`. */
  wake(): void
  stop(): Promise<void>
}

/** Why tests with a ClickHouse are skipped here; false where they run. */
export const withoutClickhouse = (): string | false =>
  binary() || process.env.TEST_CLICKHOUSE_URL ? false : 'needs a clickhouse-server: apt-get install clickhouse-server'

const binary = (): string | undefined =>
  ['/usr/bin/clickhouse-server', '/usr/sbin/clickhouse-server', '/usr/local/bin/clickhouse-server'].find(file => fs.existsSync(file))

/** One server. @throws Error where none is installed: ask `withoutClickhouse` before */
export async function startClickhouse(): Promise<RunningClickhouse> {
  const url = process.env.TEST_CLICKHOUSE_URL
  if (url) return { url, kill: async () => {}, resume: async () => {}, hang() {}, wake() {}, stop: async () => {} }
  return startOwnClickhouse()
}

/** A server that is not shared, so tests may crash it. @param cacheBytes what it may remember of columns */
export async function startOwnClickhouse({ cacheBytes = 0 } = {}): Promise<RunningClickhouse> {
  const [one] = await startCluster({ shards: [1], cacheBytes })
  if (!one) throw new Error('no clickhouse-server was started')
  return one
}

/**
 * Servers of a cluster `footfall`, shard after shard.
 * @param shards the number of replicas of each
 * @param zookeeper port of a running ZooKeeper; without one, tables are not replicated and `on cluster` does not work.
 *   18.16 ends itself when it waits for a ZooKeeper that is not there.
 */
export async function startCluster(asked: Asked): Promise<RunningClickhouse[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await startNodes(asked)
    } catch (error) {
      if (tries === 3) throw error // a free port may be another program's by the time a server wants it
    }
  }
}

interface Asked {
  readonly shards: readonly number[]
  readonly zookeeper?: number
  readonly cacheBytes?: number
}

async function startNodes({ shards, zookeeper, cacheBytes = 0 }: Asked): Promise<RunningClickhouse[]> {
  const nodes: Node[] = []
  for (const [i, replicas] of shards.entries()) {
    for (let r = 0; r < replicas; r++) {
      nodes.push({ shard: i + 1, replica: r + 1, http: await freePort(), tcp: await freePort(), interserver: await freePort() })
    }
  }
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-ch-'))
  const running: RunningClickhouse[] = []
  try {
    for (const node of nodes) running.push(await startNode(base, node, nodes, { zookeeper, cacheBytes }))
    return running
  } catch (error) {
    for (const one of running) await one.stop()
    throw error
  } finally {
    // After the servers have been killed at the exit, and again while one still writes.
    process.once('exit', () => fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 }))
  }
}

interface Node {
  readonly shard: number
  readonly replica: number
  readonly http: number
  readonly tcp: number
  readonly interserver: number
}

interface Config {
  readonly zookeeper: number | undefined
  readonly cacheBytes: number
}

async function startNode(base: string, node: Node, all: readonly Node[], how: Config): Promise<RunningClickhouse> {
  const server = binary()
  if (!server) throw new Error('clickhouse-server is not installed')
  const folder = path.join(base, `s${node.shard}r${node.replica}`)
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'users.xml'), users)
  const config = path.join(folder, 'config.xml')
  fs.writeFileSync(config, configOf(folder, node, all, how))
  const url = `http://127.0.0.1:${node.http}`
  let child: ChildProcess | undefined
  process.once('exit', () => child?.kill('SIGKILL'))

  async function resume(): Promise<void> {
    const started = (child = spawn(server ?? '', ['--config-file', config], { cwd: folder, stdio: 'ignore' }))
    for (const began = Date.now(); ; ) {
      if (Date.now() - began > 600_000) await end('SIGKILL')
      if (started.exitCode !== null || started.signalCode !== null)
        throw new Error(`clickhouse ended with ${started.exitCode ?? started.signalCode}: ${log(folder)}`)
      const answer = await fetch(`${url}/ping`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
      if (answer?.ok) break
      await setTimeout(50)
    }
    started.unref()
  }
  function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    child = undefined
    return endProcess(ending, signal)
  }
  await resume()
  return {
    url,
    resume,
    kill: () => end('SIGKILL'),
    hang: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    stop: () => end('SIGKILL'), // what it has is thrown away
  }
}

/** The last of what a server said went wrong, without the lines of its stacks. */
const log = (folder: string): string => {
  const file = path.join(folder, 'err')
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return lines
    .filter(line => !/^\d+\. /.test(line))
    .join('\n')
    .slice(-4_000)
}

const users = `<?xml version="1.0"?><yandex>
<profiles><default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip><ip>::1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas></yandex>`

/**
 * A replica that is killed between storing a part and telling ZooKeeper of it has one too many when it starts. Where that
 * is more than half of a table, as with its first, it would refuse to start; so it sets the part aside and fetches it.
 */
const startsAfterKill = '<replicated_max_ratio_of_wrong_parts>1</replicated_max_ratio_of_wrong_parts>'

function configOf(folder: string, node: Node, all: readonly Node[], { zookeeper, cacheBytes }: Config): string {
  const shards = [...new Set(all.map(({ shard }) => shard))].map(shard => {
    const replicas = all.filter(one => one.shard === shard).map(({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`)
    return `<shard><internal_replication>true</internal_replication>${replicas.join('')}</shard>`
  })
  const coordinator =
    zookeeper === undefined
      ? ''
      : `<zookeeper><node><host>127.0.0.1</host><port>${zookeeper}</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>`
  return `<?xml version="1.0"?><yandex>
<logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/err</errorlog></logger>
<http_port>${node.http}</http_port><tcp_port>${node.tcp}</tcp_port><interserver_http_port>${node.interserver}</interserver_http_port>
<interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
<max_concurrent_queries>100</max_concurrent_queries><uncompressed_cache_size>${cacheBytes}</uncompressed_cache_size><mark_cache_size>67108864</mark_cache_size>
<merge_tree>${startsAfterKill}</merge_tree>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${folder}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database><timezone>UTC</timezone>
<remote_servers><footfall>${shards.join('')}</footfall></remote_servers>
<compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio><method>zstd</method></case></compression>
<macros><shard>${node.shard}</shard><replica>r${node.replica}</replica></macros>
${coordinator}<distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
</yandex>`
}
