/** Runs every suite once for each engine: `onEachEngine('alerts', engine => { test(…) })`. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe } from 'node:test'
import pg from 'pg'
import { migrate } from '../../storage/migrate.ts'
import { openStore, type Store } from '../../storage/store.ts'
import { type RunningPostgres, startPostgres } from './postgres.ts'

export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /** A new, empty, migrated database. */
  create(): Promise<{ store: Store; url: string; drop(): Promise<void> }>
}

let running: Promise<RunningPostgres> | undefined

const sqlite: Engine = {
  name: 'sqlite',
  async create() {
    const folder = fs.mkdtempSync(path.join(inMemory() ? '/dev/shm' : os.tmpdir(), 'footfall-'))
    const url = `file:${path.join(folder, 'test.db')}`
    const store = await migrated(url)
    return {
      store,
      url,
      drop: async () => {
        await store.close()
        fs.rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

/** Puts files in memory if there is space: these tests need not wait for a disk, nor do they on Postgres (`fsync=off`). */
function inMemory(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30
  } catch {
    return false
  }
}

const postgres: Engine = {
  name: 'postgres',
  async create() {
    running ??= startPostgres()
    const { url: server } = await running
    const name = `t_${randomBytes(6).toString('hex')}`
    await once(server, `create database ${name}${process.env.TEST_PG_TEMPLATE ? ` template ${process.env.TEST_PG_TEMPLATE}` : ''}`)
    const url = at(server, name)
    const store = await migrated(url)
    return {
      store,
      url,
      drop: async () => {
        await store.close()
        await once(server, `drop database ${name} with (force)`)
      },
    }
  },
}

/** A migrated database to copy, which is faster than migrating another. */
export async function makePostgresTemplate(server: string): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `template_${randomBytes(6).toString('hex')}`
  await once(server, `create database ${name}`)
  await (await migrated(at(server, name))).close()
  return { name, drop: () => once(server, `drop database ${name} with (force)`) }
}

const at = (server: string, database: string): string => Object.assign(new URL(server), { pathname: `/${database}` }).href

async function migrated(url: string): Promise<Store> {
  const store = openStore(url, { connections: 4 })
  await migrate(store)
  return store
}

async function once(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Both, or the one that ENGINE names. */
export const engines: readonly Engine[] = chosen([sqlite, postgres], process.env.ENGINE)

/** @throws Error for an unknown engine */
function chosen(all: readonly Engine[], name: string | undefined): readonly Engine[] {
  const found = all.filter(engine => name === undefined || name === '' || engine.name === name)
  if (found.length === 0) throw new Error(`ENGINE must be ${all.map(engine => engine.name).join(' or ')}`)
  return found
}

export function onEachEngine(subject: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) describe(`${subject} on ${engine.name}`, () => suite(engine))
}
