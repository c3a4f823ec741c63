/**
 * Keeps hits while the database is away. They are on the disk before they are acknowledged, and are stored in order when the
 * database is back, each once. As long as some wait, further ones wait behind them.
 *
 * Each process has files of its own. A file that a killed process left is taken by the next process that finds it free.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail } from '../../../../runtime/table/errors.ts'
import type { ResourceContext } from '../../../../runtime/settings/resource.ts'
import { secretBox } from '../../../../runtime/settings/secret-box.ts'
import { groupCommit } from '../../../../storage/hits/group-commit.ts'
import { installationId } from '../../../../storage/installation/installation-id.ts'
import { openSpoolFile, type SpoolFile } from '../../../../storage/hits/spool-file.ts'
import { advance, positionOf, wasCommitted } from '../../../../storage/hits/writers.ts'
import type { Trx } from '../../../../storage/store.ts'
import { makeFolder } from '../../../../storage/system/file-permissions.ts'
import { giveWay, yieldWhereDue } from '../../../../storage/system/event-loop.ts'
import { sortableId } from '../../../../storage/values/sortable-id.ts'
import { type BatchMark, StorageUnavailable } from '../../../../storage/values/storage-unavailable.ts'
import { HOUR_MS } from '../../../../storage/values/durations.ts'
import { m } from '../messages.ts'
import { HITS_SPOOL, HITS_SPOOL_HOURS, HITS_SPOOL_MB } from '../settings.ts'
import { type Arrived, decrypted, encrypted } from './arrived.ts'
import { fileKeys, newFileKey, publicKeyOf } from './file-keys.ts'
import { knownInstallation, rememberInstallation } from './known-installation.ts'

export interface Spool {
  /** Finds the files that other processes left, and begins to store them. @throws Error for the operator, if the folder that is set cannot be used */
  start(): Promise<void>
  /** Takes hits at a start without the database. @returns id of the installation; undefined if nothing is known of it here, or hits are not kept */
  startWithoutDatabase(): Promise<string | undefined>
  /** Whether it takes hits while the database is away. */
  isOpen(): boolean
  /** Whether hits are taken although the database cannot be used now. */
  outlastsDatabase(): boolean
  /** Whether it takes hits at least while the database is moved. */
  isOpenForMoves(): boolean
  /** Whether hits wait, so that further ones wait behind them. */
  isHolding(): boolean
  /** Whether these hits are for the spool: the database is away, or moved. */
  takes(thrown: unknown): thrown is StorageUnavailable
  /** Resolves once the hits are on the disk. @throws Failure `unavailable` if it is full, or its disk */
  hold(arrived: Arrived): Promise<void>
  state(): { readonly requests: number; readonly bytes: number; readonly since: number | null }
  /** Leaves what waits to the next process. */
  close(): Promise<void>
}

/** Stores hits in one transaction, together with further writes. */
export type Replay = (arrived: readonly Arrived[], writeMore: (trx: Trx) => Promise<unknown>) => Promise<unknown>

interface Waiting {
  readonly file: SpoolFile
  readonly name: string
  /** Keys that may have encrypted its records; undefined until the database has given the secrets. */
  keys: readonly Buffer[] | undefined
  /** Number of the last record that is stored; undefined until the database has said so. */
  position: number | undefined
  forgotten: number
}

/** Requests in a transaction. */
const atOnce = 512
/** Stored records that are deleted together. */
const forgetAfter = 10_000
/** Ms between two attempts while the database is away. */
const againMs = 500
/** Ms between two looks for files that killed processes left. */
const lookMs = 30_000
/** Attempts to store a record that fails although the database answers. */
const maxTries = 5
const inWorkingDirectory = 'data/spool'

export function openSpool({ store, config, log, now, random, use }: ResourceContext, replay: Replay): Spool {
  const setting = config.of(HITS_SPOOL)
  const folder = setting === 'default' ? inWorkingDirectory : setting === 'off' ? undefined : setting
  /** With SQLite, the file of the database is on the same disk: by default only a move makes hits wait. */
  const isForMoves = setting === 'default' && !store.isShared
  const maxBytes = config.of(HITS_SPOOL_MB) * 1_000_000
  const maxAge = config.of(HITS_SPOOL_HOURS) * HOUR_MS

  /** From the database, newest first; none until they are needed. */
  let secrets: readonly Buffer[] = []
  let publicKey: string | undefined
  let prefix: string | undefined
  let waiting: Waiting[] = []
  let own: Waiting | undefined
  let state: ReturnType<Spool['state']> = { requests: 0, bytes: 0, since: null }
  let storing: Promise<void> | undefined
  const closing = new AbortController()
  let looking: NodeJS.Timeout | undefined

  /** With SQLite, this makes the key file if there is none. */
  async function loadSecrets(): Promise<void> {
    if (secrets.length > 0) return
    secrets = (await use(secretBox).digests(store.read, 'spool of hits')).map(hex => Buffer.from(hex, 'hex'))
    if (secrets[0]) publicKey = publicKeyOf(secrets[0])
  }

  async function start(): Promise<void> {
    if (folder === undefined) return
    const id = await installationId(store.read)
    if (!isForMoves || existsSync(folder)) await loadSecrets()
    try {
      if (!isForMoves) makeFolder(folder, 0o700)
      if (store.isShared && publicKey) rememberInstallation(folder, store.url, { id, publicKey })
      begin(id)
    } catch (err) {
      prefix = undefined
      if (setting !== 'default') throw new Error(`The folder of HITS_SPOOL cannot be used: ${reasonOf(err)}`, { cause: err })
      log.warn({ err }, 'hits cannot be kept while the database is away (HITS_SPOOL)')
    }
  }

  async function startWithoutDatabase(): Promise<string | undefined> {
    const known = folder !== undefined && store.isShared ? knownInstallation(folder, store.url) : undefined
    if (!known) return undefined
    ;({ publicKey } = known)
    begin(known.id)
    return known.id
  }

  /** @throws the error of the file system */
  function begin(installation: string): void {
    if (prefix !== undefined) return // it started without the database
    prefix = `${installation}-`
    look()
    looking = setInterval(() => {
      try {
        look()
      } catch (err) {
        log.warn({ err }, 'files of hits that other processes left cannot be found')
      }
    }, lookMs).unref()
  }

  /** Takes the files that are free. @throws the error of the file system */
  function look(): void {
    if (folder === undefined || (isForMoves && !existsSync(folder))) return
    const taken = new Set(waiting.map(({ name }) => name))
    const left = readdirSync(folder).filter(name => name.startsWith(prefix ?? '/') && name.endsWith('.spool') && !taken.has(name))
    for (const name of left.sort()) {
      const file = openSpoolFile(path.join(folder, name))
      if (file) waiting.push({ file, name, keys: undefined, position: undefined, forgotten: 0 })
    }
    waiting = [...waiting.filter(each => each !== own), ...(own ? [own] : [])]
    measure()
    if (waiting.length > 0) storeAll()
  }

  /** Looks whether it is full: not for each hit, because that takes a query. */
  function measure(): void {
    const since = waiting[0]?.file.after(waiting[0].position ?? 0, 1)[0]?.at ?? null
    const bytes = waiting.reduce((sum, { file }) => sum + file.bytes(), 0)
    state = { requests: waiting.reduce((sum, { file, position = 0 }) => sum + Math.max(0, file.last() - position), 0), bytes, since }
  }
  const isOpen = () => prefix !== undefined && !closing.signal.aborted && !isFull()
  const isFull = () => state.bytes >= maxBytes || (state.since !== null && now() - state.since >= maxAge)

  function ownFile(): Waiting {
    if (own) return own
    if (publicKey === undefined) throw new Error('The spool of hits has no key before it has started')
    const { key, hint } = newFileKey(publicKey)
    const name = `${prefix}${sortableId(now(), random(14))}-${hint}.spool`
    if (isForMoves) makeFolder(folder ?? '', 0o700)
    const file = openSpoolFile(path.join(folder ?? '', name))
    if (!file) return ownFile() // another process found it first
    log.warn({ file: name }, 'hits wait on the disk for the database')
    own = { file, name, keys: [key], position: undefined, forgotten: 0 }
    waiting.push(own)
    return own
  }

  const appends = groupCommit<Arrived, undefined>(
    async arrived => {
      if (isForMoves) await loadSecrets()
      try {
        const { file, name, keys: [key] = [] } = ownFile()
        if (!key) throw new Error('its file has no key')
        file.append(arrived.map(each => ({ at: each.at, content: encrypted(each, key, name) })))
      } catch (error) {
        throw new StorageUnavailable('full', `the spool of hits cannot be written: ${reasonOf(error)}`, { cause: error })
      }
      measure()
      storeAll()
      return arrived.map(() => undefined)
    },
    { lingerMs: 0, maxBatch: 512 },
  )

  function storeAll(): void {
    if (closing.signal.aborted) return
    storing ??= storeInOrder()
  }

  async function storeInOrder(): Promise<void> {
    let [tries, limit] = [0, atOnce]
    for (let [first] = waiting; first && !closing.signal.aborted; [first] = waiting) {
      try {
        if (await storeSome(first, limit, tries >= maxTries)) {
          tries = 0
          limit = atOnce
          await giveWay()
        } else if (isStored(first)) finish(first)
      } catch (err) {
        if (!takes(err)) {
          log.error({ err, file: first.name }, 'hits that waited for the database cannot be stored yet')
          tries++
          limit = 1 // one record may be the cause
        }
        await setTimeout(againMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
    storing = undefined // in the same turn as the last look at what waits
  }

  /** @returns false if all is stored @param skips leaves the records out */
  async function storeSome(each: Waiting, limit: number, skips: boolean): Promise<boolean> {
    const { file, name } = each
    const from = (each.position ??= await positionOf(store.read, name))
    if (!each.keys) {
      await loadSecrets()
      each.keys = fileKeys(secrets, hintIn(name))
    }
    const { keys } = each
    const records = file.after(from, limit)
    const last = records.at(-1)
    if (!last) return false
    const arrived: Arrived[] = []
    for (const { at, content } of skips ? [] : records) {
      const hits = decrypted(content, { at, keys, file: name })
      if (hits) arrived.push(hits)
      await yieldWhereDue()
    }
    if (arrived.length < records.length)
      log.error({ file: name, requests: records.length - arrived.length }, 'hits that waited for the database are damaged, and lost')
    const wanted = await withoutStored(arrived)
    try {
      await replay(wanted, trx => advance(trx, { writer: name, position: last.number, at: now() }, from))
    } catch (error) {
      each.position = undefined // it may have been committed
      throw error
    }
    each.position = last.number
    measure()
    if (last.number - each.forgotten < forgetAfter) return true
    file.forget(last.number)
    each.forgotten = last.number
    return true
  }

  /** Leaves out what a batch stored that was interrupted at its end. */
  async function withoutStored(arrived: readonly Arrived[]): Promise<readonly Arrived[]> {
    const stored = new Map<string, boolean>()
    for (const { batch } of arrived)
      if (batch && !stored.has(nameOf(batch))) stored.set(nameOf(batch), await wasCommitted(store.write, batch))
    return arrived.filter(({ batch }) => !batch || !stored.get(nameOf(batch)))
  }

  const isStored = ({ file, position }: Waiting) => position !== undefined && file.last() <= position

  /** Called in the same turn as `isStored`, so that no hit comes in between. */
  function finish(each: Waiting): void {
    each.file.remove()
    waiting = waiting.filter(other => other !== each)
    measure()
    if (each !== own) return
    own = undefined
    log.warn({ file: each.name }, 'all hits that waited for the database are stored')
  }

  const taken: ReadonlySet<string> = new Set(isForMoves ? ['moved'] : ['moved', 'away', 'locked', 'full'])
  const takes = (thrown: unknown): thrown is StorageUnavailable => thrown instanceof StorageUnavailable && taken.has(thrown.reason)

  return {
    start,
    startWithoutDatabase,
    isOpen: () => isOpen() && !isForMoves,
    isOpenForMoves: isOpen,
    outlastsDatabase: () => isOpen() && (!isForMoves || waiting.length > 0),
    isHolding: () => waiting.length > 0,
    takes,
    async hold(arrived) {
      if (isFull()) fail('unavailable', m.spool_full(), { headers: { 'Retry-After': '10' } })
      await appends.add([arrived])
    },
    state: () => state,
    async close() {
      clearInterval(looking)
      await appends.close()
      closing.abort()
      await storing
      for (const { file } of waiting) file.close()
    },
  }
}

const hintIn = (name: string): string => /-([^-]*)\.spool$/.exec(name)?.[1] ?? ''
const nameOf = ({ writer, position }: BatchMark): string => `${writer} ${position}`
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
