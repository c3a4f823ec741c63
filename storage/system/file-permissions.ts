/** Says which user may not write to a folder or file: in containers and under systemd that is the usual fault. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const reasons = { EACCES: 'permission denied', EPERM: 'permission denied', EROFS: 'read-only file system' } as const
type Reason = (typeof reasons)[keyof typeof reasons]

export interface Unwritable {
  readonly reason: Reason
  /** Who may not write where, why, and what to do. Without a full stop at the end. */
  readonly advice: string
}

/**
 * @param folder may be missing: then its nearest parent decides
 * @param files in it, of which any may be missing
 * @returns undefined if all may be written to
 */
export function whyUnwritable(folder: string, files: readonly string[] = []): Unwritable | undefined {
  for (const place of [nearest(path.resolve(folder)), ...files.filter(file => fs.existsSync(file))]) {
    const reason = refusal(place)
    if (reason !== undefined) return { reason, advice: `${userName()} may not write to ${place} (${reason}). ${remedy(place, reason)}` }
  }
  return undefined
}

/** The user that this process runs as; without a name if the system has none for it. */
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
 * Gives a file or folder that root has made to the owner of the folder around it: otherwise a command that root runs
 * would lock out the service, which has a user of its own. Does nothing for other users.
 */
export function giveToOwner(made: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = fs.statSync(path.dirname(path.resolve(made)))
  fs.lchownSync(made, uid, gid)
}

/** Makes a folder and those around it, like `mkdir -p`. @param mode of the ones that are made */
export function makeFolder(folder: string, mode?: number): void {
  const whole = path.resolve(folder)
  const first = fs.mkdirSync(whole, { recursive: true, mode })
  if (first === undefined) return
  const names = path.relative(path.dirname(first), whole).split(path.sep)
  for (const [i] of names.entries()) giveToOwner(path.join(path.dirname(first), ...names.slice(0, i + 1)))
}
