/** Inserts uptime checks and probe tokens directly. */
import { type CheckOptions, insertCheck, insertProbeToken } from '../../operations/watch/uptime/example.ts'
import type { Db } from '../../storage/store.ts'
import { randomBytes } from './chance.ts'

export const addCheck = (db: Db, now: number, options: CheckOptions) => insertCheck({ db, now, random: randomBytes }, options)

export const addProbeToken = (db: Db, now: number, workspace_id: string, location?: string) =>
  insertProbeToken({ db, now, random: randomBytes }, workspace_id, location)
