/**
 * The facts by which a process keeps hits if it starts while the database is away: a small file in the folder of waiting hits. It
 * is found by the address of the database, holds no secret, and is replaced as a whole.
 */
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { giveToOwner } from '../../../../storage/system/file-permissions.ts'
import { isObject } from '../../../../runtime/values/json.ts'

export interface KnownInstallation {
  readonly id: string
  /** With which keys of files are made. */
  readonly publicKey: string
}

/** @throws the error of the file system */
export function rememberInstallation(folder: string, url: string, known: KnownInstallation): void {
  const before = knownInstallation(folder, url)
  if (before?.id === known.id && before.publicKey === known.publicKey) return
  const file = fileFor(folder, url)
  const draft = `${file}.${randomUUID()}`
  fs.writeFileSync(draft, `${JSON.stringify(known)}\n`, { mode: 0o600, flush: true })
  giveToOwner(draft)
  fs.renameSync(draft, file)
}

/** @returns undefined if no process with this database has used the folder, or if the file is damaged */
export function knownInstallation(folder: string, url: string): KnownInstallation | undefined {
  try {
    const content: unknown = JSON.parse(fs.readFileSync(fileFor(folder, url), 'utf8'))
    if (!isObject(content)) return undefined
    const { id, publicKey } = content
    const isWhole = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) && typeof publicKey === 'string' && /^[0-9a-f]{64}$/.test(publicKey)
    return isWhole ? { id, publicKey } : undefined
  } catch {
    return undefined
  }
}

/** The user and the password may change: the server and the database are the name. */
function fileFor(folder: string, url: string): string {
  const place = URL.canParse(url) ? new URL(url) : undefined
  const name = place ? `${place.host}${place.pathname}?${place.searchParams.get('host') ?? ''}` : url
  return path.join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 16)}.installation`)
}
