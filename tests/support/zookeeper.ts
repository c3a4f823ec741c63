/** A ZooKeeper for clusters of ClickHouse: the Java classes that `apt-get install zookeeper` puts on a machine. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { endProcess } from './process.ts'

const folderOfJars = '/usr/share/java'
const jars = ['zookeeper', 'zookeeper-jute', 'slf4j-api', 'slf4j-simple', 'netty-all', 'metrics-core', 'snappy-java']
const java = '/usr/bin/java'

/** Why tests with a ZooKeeper are skipped here; false where they run. */
export const withoutZookeeper = (): string | false =>
  [java, ...jars.map(jarOf)].every(file => fs.existsSync(file)) ? false : 'needs a ZooKeeper: apt-get install zookeeper'

const jarOf = (name: string): string => path.join(folderOfJars, `${name}.jar`)

/** @throws Error if it ends instead of answering */
export async function startZookeeper(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const port = await freePort()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-zk-'))
  const config = path.join(folder, 'zoo.cfg')
  const lines = ['tickTime=2000', `dataDir=${folder}`, `clientPort=${port}`, 'clientPortAddress=127.0.0.1', 'admin.enableServer=false']
  fs.writeFileSync(config, `${lines.join('\n')}\n4lw.commands.whitelist=srvr\n`)
  const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain'
  const options = ['-Xmx96m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Dzookeeper.forceSync=no'] // what it has is thrown away
  const child = spawn(java, [...options, '-cp', jars.map(jarOf).join(':'), main, config], { cwd: folder, stdio: 'ignore' })
  process.once('exit', () => {
    child.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  })
  while (!(await isWell(port))) {
    if (child.exitCode !== null) throw new Error(`zookeeper ended with ${child.exitCode}`)
    await setTimeout(100)
  }
  child.unref()
  return {
    port,
    stop: () => endProcess(child, 'SIGKILL'),
  }
}

/** A question that comes while it starts may never be answered. */
const ASKED_AGAIN_MS = 2_000

/** It answers `ruok` before it takes sessions, and ClickHouse 18.16 that has been refused one ends itself at the first statement. */
async function isWell(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  socket.setTimeout(ASKED_AGAIN_MS, () => socket.destroy())
  try {
    socket.end('srvr')
    const parts: Buffer[] = []
    for await (const part of socket) parts.push(part as Buffer) // a stream of bytes
    return Buffer.concat(parts).toString().includes('Mode: standalone')
  } catch {
    return false
  }
}
