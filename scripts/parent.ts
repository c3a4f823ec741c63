/**
 * Notices that npm or npx that started this process is gone. They send signals on to their child, but that is a shell
 * with `npx`, which ends without sending them on; and a killed npm sends nothing. Other parents may leave on purpose.
 */
import fs from 'node:fs'

const LOOK_EVERY_MS = 250

/** Undefined without npm. Taken when the program loads: npm may also be killed while the service starts. */
const first = process.env.npm_lifecycle_event === undefined ? undefined : lineage()

export function onParentGone(gone: () => void): void {
  if (first === undefined) return
  const timer = setInterval(() => {
    if (lineage() === first) return
    clearInterval(timer)
    gone()
  }, LOOK_EVERY_MS).unref()
}

/** The parent, and its parent if the parent is a shell: then that is npm. */
function lineage(): string {
  const parent = process.ppid
  return isNode(parent) ? `${parent}` : `${parent} ${parentOf(parent)}`
}

/** If there is no /proc, as on macOS, only the parent counts. */
function isNode(pid: number): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`) === fs.readlinkSync('/proc/self/exe')
  } catch {
    return true
  }
}

function parentOf(pid: number): string | undefined {
  try {
    return /\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
