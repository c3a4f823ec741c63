/** Explains which user may not write to a folder or file, which is the usual fault in containers and under systemd. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const reasons = { EACCES: 'permission denied', EPERM: 'permission denied', EROFS: 'read-only file system' } as const
type Reason = (typeof reasons)[keyof typeof reasons]

export interface Unwritable {
  readonly reason: Reason
  /** The user, the place, the reason and the remedy. Without a full stop at the end. */
  readonly advice: string
}

/**
 * Checks whether this process may write to a folder and files.
 * @param folder may be missing; then its nearest parent is checked
 * @param files in it, of which any may be missing
 * @returns undefined if all of them are writable
 */
export function whyUnwritable(folder: string, files: readonly string[] = []): Unwritable | undefined {
  for (const place of [nearest(path.resolve(folder)), ...files.filter(file => fs.existsSync(file))]) {
    const reason = refusal(place)
    if (reason !== undefined) return { reason, advice: `${userName()} may not write to ${place} (${reason}). ${remedy(place, reason)}` }
  }
  return undefined
}

/** Names the user of this process; by its number if the system has no name for it. */
export function userName(): string {
  const id = process.getuid?.()
  try {
    return `user ${os.userInfo().username}${id === undefined ? '' : ` (${id})`}`
  } catch {
    return `user ${id}`
  }
}

function refusal(place: string): Reason | undefined {
  try {
    fs.accessSync(place, fs.statSync(place).isDirectory() ? fs.constants.W_OK | fs.constants.X_OK : fs.constants.W_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return Object.entries(reasons).find(([name]) => name === code)?.[1]
  }
}

function remedy(place: string, reason: Reason): string {
  return reason === 'read-only file system'
    ? 'Mount it writable, or name another place'
    : `Give the place to that user (chown ${process.getuid?.() ?? 'USER'} ${place}), or name another one`
}

function nearest(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder))
}

/**
 * Gives a file or folder that root created to the owner of its parent folder. Otherwise a command that root runs would lock
 * out the service, which has a user of its own. Does nothing for other users.
 */
export function giveToOwner(made: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = fs.statSync(path.dirname(path.resolve(made)))
  fs.lchownSync(made, uid, gid)
}

/** Creates a folder and its parents, like `mkdir -p`. @param mode of the created folders */
export function makeFolder(folder: string, mode?: number): void {
  const whole = path.resolve(folder)
  if (isFolder(whole)) return
  if (path.dirname(whole) !== whole) makeFolder(path.dirname(whole), mode)
  try {
    fs.mkdirSync(whole, { mode }) // with `recursive`, Node never returns where the system refuses a name, as in /proc
    giveToOwner(whole)
  } catch (error) {
    if (!isFolder(whole)) throw error // another process was faster
  }
}

const isFolder = (place: string): boolean => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
